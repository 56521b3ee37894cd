# The programs under test, for the bash scripts of this folder: source it from the root of the repository.
#
# ALFIERE and TRAINER name other programs than those of target/release.
target=${CARGO_TARGET_DIR:-target}
alfiere=$(realpath -m "${ALFIERE:-$target/release/alfiere}")
trainer=$(realpath -m "${TRAINER:-$target/release/trainer}")
for program in "$alfiere" "$trainer"; do
    [ -x "$program" ] || { echo "error: $program: no such program; cargo build --release builds it" >&2; exit 1; }
done

# Eight digits that change with the engine: games of another build are not taken for this one's.
build=$(sha256sum "$alfiere" | cut -c1-8)

# Prints the path of a Python with the package "chess", which is installed the first time.
python_with_chess() {
    local python=$target/python-chess/bin/python
    if ! "$python" -c 'import chess.pgn' 2>/dev/null; then
        python3 -m venv "$target/python-chess"
        "$python" -m pip install --quiet 'chess>=1.11,<2'
    fi
    echo "$python"
}
