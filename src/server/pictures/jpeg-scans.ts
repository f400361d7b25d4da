/** Maximum number of scans in a JPEG. Cameras and programs write at most about ten, each of which costs time to decode. */
export const MAX_JPEG_SCANS = 100

const [START_OF_SCAN, END_OF_IMAGE] = [0xda, 0xd9]

/** True for markers without a length: those within the data of a scan, and the start of the image. */
const isStandalone = (marker: number): boolean => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8)

/** Counts the scans of a JPEG by its markers, without decoding them. Thumbnails within its metadata don't count. */
export function countJpegScans(bytes: Buffer): number {
  let scans = 0
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at)) {
    const marker = bytes[++at] ?? END_OF_IMAGE
    if (marker === END_OF_IMAGE) break
    if (marker === 0xff || isStandalone(marker)) continue
    if (marker === START_OF_SCAN) scans++
    at += 1 + (at + 2 < bytes.length ? bytes.readUInt16BE(at + 1) : 0)
  }
  return scans
}
