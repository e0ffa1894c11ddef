// Makes vectors.json with Go's own libraries, golang.org/x/mod/sumdb/tlog and note, which share no code with crates/log:
//
//	apt-get install golang-go golang-golang-x-mod-dev
//	GO111MODULE=off GOPATH=/usr/share/gocode go run make.go > vectors.json
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type inclusion struct {
	Index, Size int64
	Proof       []string
}

type consistency struct {
	Old, New int64
	Proof    []string
}

type vectors struct {
	Leaves      int64
	Roots       map[string]string
	Inclusion   []inclusion
	Consistency []consistency
	Paths       map[string]string
	Key         string
	Note        string
	WitnessKey  string
	Cosignature string
	Time        uint64
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func texts(hashes []tlog.Hash) []string {
	found := []string{}
	for _, hash := range hashes {
		found = append(found, hash.String())
	}
	return found
}

// The key of a name with this kind, from a seed of one repeated byte.
func keyOf(name string, kind, seed byte) (ed25519.PrivateKey, []byte, string) {
	private := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, 32))
	public := append([]byte{kind}, private.Public().(ed25519.PublicKey)...)
	digest := sha256.Sum256(append([]byte(name+"\n"), public...))
	id := digest[:4]
	return private, id, fmt.Sprintf("%s+%s+%s", name, hex.EncodeToString(id), base64.StdEncoding.EncodeToString(public))
}

func main() {
	const leaves = 100000
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		found := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			found[i] = stored[index]
		}
		return found, nil
	})
	for i := int64(0); i < leaves; i++ {
		var record [8]byte
		binary.BigEndian.PutUint64(record[:], uint64(i))
		hashes, err := tlog.StoredHashes(i, record[:], reader)
		must(err)
		stored = append(stored, hashes...)
	}
	made := vectors{Leaves: leaves, Roots: map[string]string{}, Paths: map[string]string{}}
	sizes := []int64{1, 2, 3, 7, 8, 255, 256, 257, 1000, 65535, 65536, 65537, 70000, leaves}
	for number, size := range sizes {
		root, err := tlog.TreeHash(size, reader)
		must(err)
		made.Roots[fmt.Sprint(size)] = root.String()
		for _, index := range []int64{0, size / 3, size - 1} {
			proof, err := tlog.ProveRecord(size, index, reader)
			must(err)
			made.Inclusion = append(made.Inclusion, inclusion{index, size, texts(proof)})
		}
		for _, old := range sizes[:number] {
			proof, err := tlog.ProveTree(size, old, reader)
			must(err)
			made.Consistency = append(made.Consistency, consistency{old, size, texts(proof)})
		}
	}
	for _, tile := range []tlog.Tile{
		{H: 8, L: 0, N: 0, W: 256}, {H: 8, L: 0, N: 273, W: 112}, {H: 8, L: 1, N: 1, W: 17}, {H: 8, L: 2, N: 0, W: 1},
		{H: 8, L: 0, N: 1234067, W: 256}, {H: 8, L: 0, N: 1000, W: 255},
	} {
		// Go's paths name the height of tiles, which is always 8 in c2sp.org/tlog-tiles.
		path := strings.TrimPrefix(tile.Path(), "tile/8/")
		made.Paths[path] = fmt.Sprintf("%d %d %d", tile.L, tile.N, tile.W)
	}
	text := "example.org/log\n100000\n" + made.Roots["100000"] + "\n"
	private, id, key := keyOf("example.org/log", 1, 7)
	seed := append([]byte{1}, private.Seed()...)
	signer, err := note.NewSigner("PRIVATE+KEY+example.org/log+" + hex.EncodeToString(id) + "+" + base64.StdEncoding.EncodeToString(seed))
	must(err)
	signed, err := note.Sign(&note.Note{Text: text}, signer)
	must(err)
	made.Key, made.Note = key, string(signed)
	witness, id, key := keyOf("witness.example/w1", 4, 9)
	made.Time = 1700000000
	message := fmt.Sprintf("cosignature/v1\ntime %d\n%s", made.Time, text)
	bare := binary.BigEndian.AppendUint64(append([]byte{}, id...), made.Time)
	bare = append(bare, ed25519.Sign(witness, []byte(message))...)
	made.WitnessKey = key
	made.Cosignature = "— witness.example/w1 " + base64.StdEncoding.EncodeToString(bare) + "\n"
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", " ")
	must(encoder.Encode(made))
}
