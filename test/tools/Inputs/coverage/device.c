/* A program that says where it ran: its output differs with the plugin. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    puts(getenv("STENCILOPT_DEVICE") ? "device" : "plain");
    return 0;
}
