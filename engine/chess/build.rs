//! Generates the bishop and rook attack tables into the build folder, and tells the compiler where the opening book is.

use std::fmt::Write;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let features = std::env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let indexing = if features.split(',').any(|feature| feature == "bmi2") { Indexing::Pext } else { Indexing::Magic };
    let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR for build scripts");
    println!("cargo::rustc-env=ALFIERE_BOOK={}", book(std::path::Path::new(&folder)).display());
    let folder = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR for build scripts");
    let path = std::path::Path::new(&folder).join("sliders.rs");
    std::fs::write(&path, source(indexing)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// The opening book: beside this file in the published crate, otherwise at the repository's root.
fn book(folder: &std::path::Path) -> std::path::PathBuf {
    let own = folder.join("books/small.bin");
    let file = if own.is_file() { own } else { folder.join("../../books/small.bin") };
    std::path::absolute(&file).unwrap_or(file)
}

// Generates Rust source for the attack sets of bishops and rooks for every blocker arrangement.

const BISHOP_STEPS: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const ROOK_STEPS: [(i32, i32); 4] = [(1, 0), (0, -1), (-1, 0), (0, 1)];

/// How an arrangement of blockers is mapped to a table index.
#[derive(Clone, Copy, PartialEq)]
enum Indexing {
    /// The BMI2 instruction `PEXT`.
    Pext,
    /// Magic multiplication.
    Magic,
}

/// Returns the source of `SLIDER_ATTACKS`, `BISHOPS`, `ROOKS`, `BISHOP_RAYS` and `ROOK_RAYS`.
fn source(indexing: Indexing) -> String {
    let mut table = Vec::new();
    let bishops = sliders("BISHOPS", BISHOP_STEPS, &BISHOP_MAGICS, indexing, &mut table);
    let rooks = sliders("ROOKS", ROOK_STEPS, &ROOK_MAGICS, indexing, &mut table);
    format!(
        "{bishops}{rooks}{}{}{}",
        numbers("BISHOP_RAYS", &(0..64).map(|square| walk(square, 0, BISHOP_STEPS)).collect::<Vec<_>>()),
        numbers("ROOK_RAYS", &(0..64).map(|square| walk(square, 0, ROOK_STEPS)).collect::<Vec<_>>()),
        numbers("SLIDER_ATTACKS", &table)
    )
}

fn sliders(name: &str, steps: [(i32, i32); 4], magics: &[u64; 64], indexing: Indexing, table: &mut Vec<u64>) -> String {
    let mut source = format!("static {name}: [Slider; 64] = [\n");
    for square in 0..64 {
        let mask = mask(square, steps);
        let (magic, shift, offset) = (magics[square as usize], 64 - mask.count_ones(), table.len());
        table.resize(offset + (1 << mask.count_ones()), 0);
        for number in 0..1 << mask.count_ones() {
            let blockers = deposit(number, mask);
            let index = match indexing {
                Indexing::Pext => number as usize,
                Indexing::Magic => (blockers.wrapping_mul(magic) >> shift) as usize,
            };
            let attacks = walk(square, blockers, steps);
            let entry = &mut table[offset + index];
            assert!(*entry == 0 || *entry == attacks, "{name}: the magic number of square {square} causes a collision");
            *entry = attacks;
        }
        writeln!(source, "Slider {{ mask: {mask}, magic: {magic}, shift: {shift}, offset: {offset} }},")
            .expect("writing to a string succeeds");
    }
    source + "];\n"
}

/// The relevant occupancy: the last square of a line is attacked whether occupied or not, so it is left out.
fn mask(square: i32, steps: [(i32, i32); 4]) -> u64 {
    steps.into_iter().fold(0, |mask, (files, ranks)| {
        let lines = walk(square, 0, [(files, ranks); 4]);
        let last = match (files, ranks) {
            (0, 1) => 0xFF << 56,
            (0, -1) => 0xFF,
            (1, 0) => 0x8080_8080_8080_8080,
            (-1, 0) => 0x0101_0101_0101_0101,
            _ => 0xFF81_8181_8181_81FF,
        };
        mask | lines & !last
    })
}

/// Computes the attack set square by square, up to the first blocker on each line.
fn walk(square: i32, occupied: u64, steps: [(i32, i32); 4]) -> u64 {
    let mut attacks = 0;
    for (files, ranks) in steps {
        let (mut file, mut rank) = (square % 8 + files, square / 8 + ranks);
        while (0..8).contains(&file) && (0..8).contains(&rank) {
            let target = 1 << (rank * 8 + file);
            attacks |= target;
            if occupied & target != 0 {
                break;
            }
            file += files;
            rank += ranks;
        }
    }
    attacks
}

/// Spreads the low bits of `number` over the mask: the inverse of `PEXT`.
fn deposit(mut number: u64, mut mask: u64) -> u64 {
    let mut bits = 0;
    while mask != 0 {
        if number & 1 != 0 {
            bits |= mask & mask.wrapping_neg();
        }
        number >>= 1;
        mask &= mask - 1;
    }
    bits
}

fn numbers(name: &str, values: &[u64]) -> String {
    let mut source = format!("static {name}: [u64; {}] = [\n", values.len());
    for line in values.chunks(8) {
        for value in line {
            write!(source, "{value:#x},").expect("writing to a string succeeds");
        }
        source.push('\n');
    }
    source + "];\n"
}

// Magic numbers for bishops and rooks, found by trial of sparse random numbers. The build script verifies that none of
// them causes a destructive collision.

const BISHOP_MAGICS: [u64; 64] = [
    0x1002200101020088,
    0x4004010404049080,
    0x200404008A020422,
    0x000806004C002202,
    0x8001104110000090,
    0x8002080248000202,
    0x0000440484408000,
    0x0002010082012020,
    0x0488406912288201,
    0x0101600202004110,
    0x0810100400842440,
    0x0800240410822002,
    0x0000020210010030,
    0x8100008260210008,
    0x4404004404044201,
    0x2440008084104200,
    0x88220A08207C0280,
    0x4104801001080120,
    0x4110020808304010,
    0x2518050402400980,
    0x0002000422010010,
    0x0403020080A00100,
    0x0244200200822880,
    0x0608200200820860,
    0x81202818C6100400,
    0x4081501088100100,
    0x2002491448020400,
    0x0070040000440008,
    0x0880820004010400,
    0x8490108202C80400,
    0x0004004204050C41,
    0x800102400C241402,
    0x1014200A00041013,
    0x0008110400300400,
    0x0042060900220800,
    0x00D2200800010105,
    0x0C0A0484008A0020,
    0x801001010802100C,
    0x0919920202440101,
    0x06020A0202604050,
    0x4202083240260821,
    0x0118520260221008,
    0x00000C4402021001,
    0x1010006018020100,
    0x9600204C10130500,
    0x00C0810403000020,
    0x0002640420801401,
    0x8001040400900840,
    0x1002221004048000,
    0x0020808808420401,
    0x0100010080908040,
    0x2000800884040820,
    0x1000002020444B28,
    0x01180890D0008888,
    0x4090448800940100,
    0x0160380A00404240,
    0x5002042109101080,
    0x800800220D300800,
    0x0808200840441004,
    0x8008022006150402,
    0x2000000070020213,
    0x0202414119211100,
    0x8820620204180484,
    0x8012100115010208,
];
const ROOK_MAGICS: [u64; 64] = [
    0x0880102080004000,
    0x8340004410002000,
    0x0880200090008268,
    0x0080080080100004,
    0x8100110004020800,
    0x0300010004000822,
    0x08801A0029000080,
    0x8100050001204882,
    0x0844800081400320,
    0x0804402010004000,
    0x0108802003100480,
    0x0004808008001000,
    0x0003001801001014,
    0x0002000200041008,
    0x0004008108042210,
    0x0105000100009042,
    0x0400808000400021,
    0xC100404010002000,
    0x0060008010002088,
    0x0400808008001000,
    0x4440808008000400,
    0x1002008004000280,
    0x40024400300D1248,
    0x0010020000408104,
    0x0101008200204200,
    0x8020002040005000,
    0x4100100080802000,
    0x4008006A80100280,
    0x1020080080040080,
    0x0004010040020040,
    0x0018A12400080290,
    0x6140004200008104,
    0x4000400020800090,
    0x2020002080804000,
    0x0000408202002010,
    0x0080100501000820,
    0x0000800400800800,
    0x000A200408014010,
    0x0100800200800100,
    0xA00800570200008C,
    0x008000406000C010,
    0x1040100028002000,
    0x0048200100110040,
    0x0068490210030020,
    0x1009080005010010,
    0x2142000804010100,
    0x1001080110840002,
    0x1801004400820001,
    0x010440208D020200,
    0x0000400020008080,
    0x0200200080100280,
    0x0000100020090100,
    0x0204008008020480,
    0x8104010040020040,
    0x78000201B0080400,
    0x0040800051002880,
    0x0050108001002041,
    0x208A801100614003,
    0x0006002042089082,
    0x0011090004201001,
    0x1002001004200802,
    0x0005000208040001,
    0x0002002701AC0822,
    0x000010250184004A,
];
