// Compresses the built text files as far as possible and stores the results beside them. They are written once and sent
// often.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const TEXT = /\.(?:js|css|svg|webmanifest)$/
/** Minimum size in bytes of a file to be compressed. */
const WORTH = 1024
const PACKED = {
  br: promisify(brotliCompress),
  gz: (bytes) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
}

/** Compresses the text files in a folder and its subfolders. */
export async function compressTextFiles(folder) {
  const files = (await readdir(folder, { recursive: true })).filter((file) => TEXT.test(file))
  await Promise.all(files.map((file) => packFile(join(folder, file))))
}

async function packFile(file) {
  const bytes = await readFile(file)
  if (bytes.length < WORTH) return
  await Promise.all(
    Object.entries(PACKED).map(async ([ending, pack]) => writeFile(`${file}.${ending}`, await pack(bytes))),
  )
}
