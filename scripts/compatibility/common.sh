# Shared by the bash scripts of this folder: source it from the root of the repository.
target=${CARGO_TARGET_DIR:-target}

fail() { echo "error: $*" >&2; exit 1; }

# Path of the program to test: the argument, or the release build.
engine_of() {
    local engine=${1:-$target/release/alfiere}
    [ -x "$engine" ] || fail "$engine: no such program; cargo build --release -p alfiere builds it"
    realpath "$engine"
}

# Copies another project's checkout, so that its tests leave no files in it: CHECKOUT FILE-IN-IT ADDRESS COPY.
copy_checkout() {
    [ -f "$1/$2" ] || fail "${1:-no folder named}: expected a checkout of $3"
    cp -r "$1" "$4"
}

# Prints the path of a Python with the packages of requirement files, installed the first time: NAME FILE...
python_for() {
    local folder=$target/$1 requirements=()
    shift
    for file; do requirements+=(-r "$file"); done
    [ -x "$folder/bin/python" ] || python3 -m venv "$folder"
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check "${requirements[@]}" >&2
    realpath -s "$folder/bin/python"
}
