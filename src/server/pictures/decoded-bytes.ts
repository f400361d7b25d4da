import type { Metadata } from 'sharp'

/** Bytes of a decoded picture, at the most: 66 million pixels in the usual colours. */
export const MOST_DECODED = 200_000_000

/** What a picture's header says of it. */
export type Header = Pick<Metadata, 'width' | 'height' | 'channels' | 'depth' | 'format' | 'pages' | 'compression'>

const BYTES: Readonly<Record<string, number>> = {
  uchar: 1,
  char: 1,
  ushort: 2,
  short: 2,
  uint: 4,
  int: 4,
  float: 4,
  double: 8,
  complex: 8,
}
/** Of what we don't know, the most that there is. */
const MOST_BYTES = 16

/** HEIC as phones make it, which is decoded apart, into four channels of a byte. */
export const isHevc = (header: Pick<Header, 'compression'>): boolean => header.compression === 'hevc'

/** How many pictures follow one another in time. The pages of a TIFF don't: only its first is ever decoded. */
export const framesOf = ({ format, pages = 1 }: Pick<Header, 'format' | 'pages'>): number =>
  format === 'gif' || format === 'webp' ? pages : 1

/** Bytes that a picture takes when it is decoded, by its header alone. */
export function decodedBytes(header: Header): number {
  const pixels = header.width * header.height * framesOf(header)
  return isHevc(header) ? pixels * 4 : pixels * header.channels * (BYTES[header.depth] ?? MOST_BYTES)
}
