/* Evaluates positions with a file written by `trainer export NET --layout OUT`; docs/guide/networks.md describes it.
   cc -O2 -o layout layout.c && ./layout OUT "FEN"... */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t word(const uint8_t *at, int bytes) {
    return bytes == 0 ? 0 : at[0] | word(at + 1, bytes - 1) << 8;
}
static int64_t number(const uint8_t *numbers, size_t index) { return (int16_t)word(numbers + 2 * index, 2); }
static int64_t clipped(int64_t sum) { return sum < 0 ? 0 : sum > 255 ? 255 : sum; }

/* Centipawns for the side to move. */
static int64_t evaluate(const uint8_t *file, const char *fen) {
    static const char letters[] = "PNBRQKpnbrqk";
    size_t width = word(file + 8, 4), buckets = word(file + 12, 4), rows = 768 * word(file + 28, 4);
    const uint8_t *numbers = file + 128, *biases = numbers + 2 * width * (rows + 2 + 2 * buckets);
    int squared = word(file + 16, 4) == 1, black_moves = strchr(fen, ' ')[1] == 'b';
    int kinds[64], squares[64], kings[2] = {0, 0}, square = 56, pieces = 0;
    for (; *fen != ' '; fen++) {
        if (*fen == '/') { square -= 16; continue; }
        if (isdigit((unsigned char)*fen)) { square += *fen - '0'; continue; }
        kinds[pieces] = strchr(letters, *fen) - letters;
        if (kinds[pieces] % 6 == 5) kings[kinds[pieces] / 6] = kinds[pieces] < 6 ? square : square ^ 56;
        squares[pieces++] = square++;
    }
    int64_t *sums = malloc(2 * width * sizeof *sums);
    if (!sums) exit(1);
    for (size_t i = 0; i < 2 * width; i++) sums[i] = number(numbers, rows * width + i);
    for (int view = 0; view < 2; view++) {
        int black_view = black_moves != view, king = file[32 + kings[black_view]];
        for (int piece = 0; piece < pieces; piece++) {
            int owner = kinds[piece] / 6 == black_view ? 0 : 384;
            int seen = squares[piece] ^ (black_view ? 56 : 0) ^ (king & 128 ? 7 : 0);
            size_t input = 768 * (king & 127) + owner + 64 * (kinds[piece] % 6) + seen;
            for (size_t i = 0; i < width; i++) sums[view * width + i] += number(numbers, input * width + i);
        }
    }
    size_t bucket = file[96 + pieces - 1];
    int64_t sum = (int32_t)word(biases + 4 * bucket, 4);
    for (size_t i = 0; i < 2 * width; i++) {
        int64_t value = clipped(sums[i]);
        sum += (squared ? value * value : value) * number(numbers, (rows + 2 + 2 * bucket) * width + i);
    }
    free(sums);
    int64_t one = (squared ? 255 * 255 : 255) * ((int64_t)256 << word(file + 20, 4)), parts = sum * word(file + 24, 4);
    return parts < 0 ? -((-parts + one / 2) / one) : (parts + one / 2) / one;
}

int main(int count, char **arguments) {
    static uint8_t file[512 << 20];
    FILE *in = count < 2 ? NULL : fopen(arguments[1], "rb");
    if (!in || fread(file, 1, sizeof file, in) < 128 || memcmp(file, "ALFFLAT\x02", 8)) return puts("no flat layout"), 1;
    for (int i = 2; i < count; i++) {
        int64_t value = evaluate(file, arguments[i]), white = strstr(arguments[i], " b ") ? -value : value;
        printf("evaluation %+lld internal units (%+lld for the side to move)\n", (long long)white, (long long)value);
    }
    return 0;
}
