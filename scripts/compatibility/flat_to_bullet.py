"""Writes a flat file of `trainer export` as a network that akimbo 0.7.0 is compiled with, in bullet's layout of `(768 -> 512)x2 -> 1x8`.

A flat file (docs/guide/networks.md) has a bias for each accumulator, that of the side to move and the other. Bullet's layout has
one for both. So each neuron becomes two: one with the first bias, which only the side to move's output weights use, and one
with the second bias for the other side. Output biases may exceed the 16 bits that they have there: a neuron that is always 255
adds a multiple of 255 to each. The outputs stay the same.
"""

import array
import pathlib
import re
import struct
import sys

WIDTH, BUCKETS, SCALE = 512, 8, 400

flat = pathlib.Path(sys.argv[1]).read_bytes()
magic, n, buckets, activation, shift, scale, kings = struct.unpack_from("<8s6I", flat)
found = (magic, buckets, activation, scale, kings)
assert found == (b"ALFFLAT\x02", BUCKETS, 0, 256 * SCALE, 1) and 2 * n < WIDTH, (found, n)
assert list(flat[96:128]) == [max(pieces - 2, 0) // 4 for pieces in range(1, 33)], "other output buckets"
take = iter(array.array("h", flat[128 : len(flat) - 4 * buckets]))
rows = [[next(take) for _ in range(n)] for _ in range(768 + 2 + 2 * buckets)]
output_biases = struct.unpack_from(f"<{buckets}i", flat, len(flat) - 4 * buckets)

unused, spare = [0] * n, [0] * (WIDTH - 2 * n - 1)
out = array.array("h")
for row in rows[:768]:
    out.extend(row + row + [0] + spare)
out.extend(rows[768] + rows[769] + [255] + spare)
for own, other, bias in zip(rows[770::2], rows[771::2], output_biases):
    out.extend(own + unused + [bias // 255] + spare)
    out.extend(unused + other + [0] + spare)
out.extend(bias % 255 for bias in output_biases)
data = out.tobytes() + bytes(-2 * len(out) % 64)
pathlib.Path(sys.argv[2]).write_bytes(data)

# The scale of the output weights is a constant of the engine.
source = pathlib.Path(sys.argv[3])
text, count = re.subn(r"const QB: i32 = \d+;", f"const QB: i32 = {1 << shift};", source.read_text())
assert count == 1, "no constant QB"
source.write_text(text)
print(f"akimbo's network: {len(data)} bytes, output weights times {1 << shift}")
