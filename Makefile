# How OpenBench builds the engine: make -j EXE=name [EVALFILE=network.nnue]
#
# EXE is the file to make. EVALFILE is embedded instead of nets/default.nnue; a relative name starts here. The program is
# made for this machine's processor, without the board in a browser. People use cargo: see README.md.

EXE ?= alfiere
CARGO ?= cargo
FOLDER := $(or $(CARGO_TARGET_DIR),target)/release
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe)

export EVALFILE
export RUSTFLAGS := -C target-cpu=native

.PHONY: all clean

# Cargo knows what is up to date. Each build makes one file, so the copy cannot be of another network.
all:
	+$(CARGO) build --release --locked --package alfiere --bin alfiere --no-default-features
	cp "$(FOLDER)/alfiere$(SUFFIX)" "$(EXE)$(if $(filter %.exe,$(EXE)),,$(SUFFIX))"

clean:
	$(CARGO) clean --package alfiere
