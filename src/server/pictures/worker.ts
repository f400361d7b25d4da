import { readFile } from 'node:fs/promises'
import decodeHeic from 'heic-decode'
import sharp, { type Sharp } from 'sharp'
import { serveTasks } from '#server/processes/serve-orders.ts'
import { calculateDecodedBytes, frameCount, isHevc, MAX_DECODED_BYTES } from './decoded-bytes.ts'
import { countJpegScans, MAX_JPEG_SCANS } from './jpeg-scans.ts'
import { LOGO_BACKGROUNDS, type LogoBackground, measureLogoContrast } from './logo-contrast.ts'

/** Job that creates the display versions of a picture file. */
export interface PictureJob {
  readonly path: string
}

/** Job that renders a stored logo on its background. */
export interface LogoJob {
  readonly logo: Uint8Array
  readonly ground: LogoBackground
}

/** A logo on its background, as it will be printed, and the share of the logo that is visible. */
export interface RenderedLogo {
  /** WebP bytes. */
  readonly picture: Uint8Array
  readonly share: number
  readonly seen: boolean
}

/** Versions of a picture for display: upright, no larger than a screen, and without camera metadata. */
export interface PictureVersions {
  /** Size of the upright original. */
  readonly width: number
  readonly height: number
  readonly view: Buffer
  readonly viewType: 'image/jpeg' | 'image/webp'
  /** WebP bytes. */
  readonly thumbnail: Buffer
}

/** Result for a picture that is too large according to its header. */
export interface OversizedPicture {
  readonly width: number
  readonly height: number
  readonly frames: number
  /** Size in bytes when decoded. */
  readonly bytes: number
}

export type PictureJobResult =
  | { readonly shown: PictureVersions }
  | { readonly tooLarge: OversizedPicture }
  /** Number of scans of a JPEG that has too many. */
  | { readonly tooManyScans: number }
  | { readonly damaged: true }
  | { readonly logo: RenderedLogo }

const VIEW = 2560
const THUMBNAIL = 320
const WHOLE = { failOn: 'error', limitInputPixels: false } as const

// This process decodes one picture at a time, in one thread and without a cache. Only the decoders for accepted types
// are enabled.
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((kind) => `VipsForeignLoad${kind}`),
})

async function look({ path }: PictureJob): Promise<PictureJobResult> {
  try {
    const header = await sharp(path, WHOLE).metadata()
    const bytes = calculateDecodedBytes(header)
    const { width, height } = header
    if (bytes > MAX_DECODED_BYTES) return { tooLarge: { width, height, frames: frameCount(header), bytes } }
    const scans = header.format === 'jpeg' ? countJpegScans(await readFile(path)) : 0
    if (scans > MAX_JPEG_SCANS) return { tooManyScans: scans }
    if (isHevc(header)) return { shown: await showHeic(path) }
    const image = sharp(path, WHOLE).autoOrient()
    return { shown: { ...header.autoOrient, ...(await versions(image, header.hasAlpha)) } }
  } catch {
    return { damaged: true }
  }
}

/** Index of a pixel's opacity among its four bytes, and its value for an opaque pixel. */
const [ALPHA, OPAQUE] = [3, 255]

async function showHeic(path: string): Promise<PictureVersions> {
  const { width, height, data } = await decodeHeic({ buffer: await readFile(path) })
  const image = sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false })
  const isTransparent = data.some((value, at) => at % 4 === ALPHA && value < OPAQUE)
  return { width, height, ...(await versions(isTransparent ? image : image.removeAlpha(), isTransparent)) }
}

async function versions(image: Sharp, transparent: boolean) {
  const fitted = image.toColourspace('srgb').resize(VIEW, VIEW, { fit: 'inside', withoutEnlargement: true })
  const view = await (transparent ? fitted.webp({ quality: 86 }) : fitted.jpeg({ quality: 84 })).toBuffer()
  const thumbnail = await sharp(view)
    .resize(THUMBNAIL, THUMBNAIL, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 76 })
    .toBuffer()
  return { view, viewType: transparent ? ('image/webp' as const) : ('image/jpeg' as const), thumbnail }
}

/** Margin of the background on each side, as a fraction of the logo's shorter side. */
const MARGIN = 0.08

async function putOnGround({ logo, ground }: LogoJob): Promise<PictureJobResult> {
  const { data } = await sharp(logo, WHOLE)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const ink = measureLogoContrast(data, ground)
  if (ground === 'white') return { logo: { picture: logo, ...ink } }
  const [r, g, b] = LOGO_BACKGROUNDS[ground]
  const background = { r, g, b }
  const { width, height } = await sharp(logo, WHOLE).metadata()
  const by = Math.ceil(Math.min(width, height) * MARGIN)
  const flat = sharp(logo, WHOLE)
    .flatten({ background })
    .extend({ top: by, bottom: by, left: by, right: by, background })
  return { logo: { picture: await flat.webp({ quality: 90 }).toBuffer(), ...ink } }
}

serveTasks((order: PictureJob | LogoJob) => ('logo' in order ? putOnGround(order) : look(order)))
