import { expect, test } from 'vitest'
import { calculateDecodedBytes, type PictureHeader } from './decoded-bytes.ts'

const jpeg: PictureHeader = { width: 1000, height: 500, channels: 3, depth: 'uchar', format: 'jpeg' }

test.each<[string, Partial<PictureHeader>, number]>([
  ['one byte for each colour channel', {}, 1_500_000],
  ['a fourth channel for transparency', { channels: 4 }, 2_000_000],
  ['two bytes per channel for 16-bit colours', { depth: 'ushort', format: 'png' }, 3_000_000],
  ['the largest possible channel size if the depth is unknown', { depth: undefined }, 24_000_000],
  ['every frame of an animation', { format: 'gif', pages: 20 }, 30_000_000],
  ['only the first page of a multi-page TIFF', { format: 'tiff', pages: 20 }, 1_500_000],
  ['four channels for HEIC, whatever its header states', { format: 'heif', compression: 'hevc' }, 2_000_000],
])('the decoded size of a picture includes %s', (_, more, bytes) => {
  expect(calculateDecodedBytes({ ...jpeg, ...more } as PictureHeader)).toBe(bytes)
})
