import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { crc32, createDeflate, deflateSync } from 'node:zlib'
import sharp from 'sharp'

const uint32 = (n: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(n)
  return bytes
}

function pngChunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), data])
  return Buffer.concat([uint32(data.length), named, uint32(crc32(named))])
}

interface Size {
  readonly width: number
  readonly height: number
  /** Bits per colour channel. */
  readonly bits?: 8 | 16
}

const pngOf = ({ width, height, bits = 8 }: Size, pixels: Buffer) =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', Buffer.concat([uint32(width), uint32(height), Buffer.from([bits, 2, 0, 0, 0])])),
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  ])

/** Makes a PNG whose header states a size, without the image data for it. */
export const makePngHeader = (size: Size): Buffer => pngOf(size, deflateSync(Buffer.alloc(10)))

/**
 * Makes a complete black PNG of any size. The pixels are compressed as they are generated, so the uncompressed image is
 * never held in memory as a whole.
 */
export async function makeBlackPng({ width, height, bits = 8 }: Size): Promise<Buffer> {
  const packer = createDeflate({ level: 1 })
  const packed = buffer(packer)
  const row = Buffer.alloc(1 + (width * 3 * bits) / 8)
  for (let n = 0; n < height; n++) if (!packer.write(row)) await once(packer, 'drain')
  packer.end()
  return pngOf({ width, height, bits }, await packed)
}

const uint16 = (n: number) => Buffer.from([n & 0xff, n >> 8])

/** Makes a GIF of a given size with this many frames, each only one pixel large. */
export function makeAnimatedGif({ width, height }: Size, frames: number): Buffer {
  const head = Buffer.concat([
    Buffer.from('GIF89a'),
    uint16(width),
    uint16(height),
    Buffer.from('800000000000ffffff', 'hex'),
  ])
  const frame = Buffer.from('21f904000a0000002c0000000001000100000202440100', 'hex')
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame), Buffer.from(';')])
}

const riff = (name: string, data: Buffer) => {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(data.length)
  return Buffer.concat([Buffer.from(name), size, data, Buffer.alloc(data.length % 2)])
}
const uint24 = (n: number) => Buffer.from([n & 0xff, (n >> 8) & 0xff, n >> 16])

/** Makes a WebP of a given size with this many frames, each only one pixel large. */
export async function makeAnimatedWebp({ width, height }: Size, frames: number): Promise<Buffer> {
  const dot = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#000' } })
    .webp({ lossless: true })
    .toBuffer()
  const zero = uint24(0)
  const frame = riff('ANMF', Buffer.concat([zero, zero, zero, zero, uint24(100), Buffer.from([0]), dot.subarray(12)]))
  const canvas = Buffer.concat([Buffer.from([2, 0, 0, 0]), uint24(width - 1), uint24(height - 1)])
  const parts = [riff('VP8X', canvas), riff('ANIM', Buffer.alloc(6)), ...Array.from({ length: frames }, () => frame)]
  return riff('RIFF', Buffer.concat([Buffer.from('WEBP'), ...parts]))
}

/** Makes a grey progressive JPEG of 36 megapixels with this many scans of a few bytes each. */
export function makeJpegOfScans(scans: number): Buffer {
  const segment = (marker: number, bytes: Buffer) =>
    Buffer.concat([Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 0xff]), bytes])
  const table = (number: number, value: number) =>
    segment(0xc4, Buffer.from([number, 1, ...Array<number>(15).fill(0), value]))
  const scan = (first: number, last: number, size: number) =>
    Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, first, last, 0])), Buffer.alloc(size)])
  const quantisation = segment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)]))
  const frame = segment(0xc2, Buffer.from([8, 0x17, 0x70, 0x17, 0x70, 1, 1, 0x11, 0]))
  const others = Array.from({ length: scans - 1 }, () => scan(1, 63, 66))
  const data = [quantisation, frame, table(0, 0), table(0x10, 0xe0), scan(0, 0, 70_313), ...others]
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...data, Buffer.from([0xff, 0xd9])])
}
