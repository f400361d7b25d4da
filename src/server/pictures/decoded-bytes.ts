import type { Metadata } from 'sharp'

/** Maximum size of a decoded picture in bytes. This is enough for 66 million pixels in common colour formats. */
export const MAX_DECODED_BYTES = 200_000_000

/** Properties read from a picture's header. */
export type PictureHeader = Pick<
  Metadata,
  'width' | 'height' | 'channels' | 'depth' | 'format' | 'pages' | 'compression'
>

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
/** Bytes for each channel of a pixel, assumed for unknown formats. This is the maximum of all formats. */
const MAX_BYTES_PER_PIXEL = 16

/** True for HEIC pictures from phones. They have a separate decoder, which uses four channels of one byte. */
export const isHevc = (header: Pick<PictureHeader, 'compression'>): boolean => header.compression === 'hevc'

/** Returns the number of animation frames. The pages in a TIFF are ignored, because only the first is decoded. */
export const frameCount = ({ format, pages = 1 }: Pick<PictureHeader, 'format' | 'pages'>): number =>
  format === 'gif' || format === 'webp' ? pages : 1

/** Calculates the size of the decoded picture in bytes from its header alone. */
export function calculateDecodedBytes(header: PictureHeader): number {
  const pixels = header.width * header.height * frameCount(header)
  return isHevc(header) ? pixels * 4 : pixels * header.channels * (BYTES[header.depth] ?? MAX_BYTES_PER_PIXEL)
}
