import { expect, test } from 'vitest'
import { decodedBytes, type PictureHeader } from './decoded-bytes.ts'

const jpeg: PictureHeader = { width: 1000, height: 500, channels: 3, depth: 'uchar', format: 'jpeg' }

test.each<[string, Partial<PictureHeader>, number]>([
  ['a byte for each colour', {}, 1_500_000],
  ['a channel more where it is see-through', { channels: 4 }, 2_000_000],
  ['two bytes where its colours are deep', { depth: 'ushort', format: 'png' }, 3_000_000],
  ['the most there is where nobody knows its depth', { depth: undefined }, 24_000_000],
  ['every picture of those that move', { format: 'gif', pages: 20 }, 30_000_000],
  ['only the first page of a document', { format: 'tiff', pages: 20 }, 1_500_000],
  ['four channels for what a phone makes, whatever it says', { format: 'heif', compression: 'hevc' }, 2_000_000],
])('the decoded size includes %s', (_, more, bytes) => {
  expect(decodedBytes({ ...jpeg, ...more } as PictureHeader)).toBe(bytes)
})
