import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import type { Sharp, SharpConstructor } from 'sharp'
import { refusedFile } from './sniff.ts'

/** A picture made ready for showing: upright, within a screen's size, without what the camera wrote beside it. */
export interface Shown {
  /** As it stands upright, of the original. */
  readonly width: number
  readonly height: number
  readonly view: Buffer
  readonly viewType: 'image/jpeg' | 'image/webp'
  /** WebP. */
  readonly thumbnail: Buffer
}

const VIEW = 2560
const THUMBNAIL = 320
const MOST_PIXELS = 100_000_000
const DECODE_MS = 60_000
/** A picture takes up to 400 MB while it is being worked on. */
const turn = pLimit(2)

/** Makes the versions that are shown. Throws a Problem for what is no whole picture. `name` is for the sentence. */
export const makeShown = (path: string, type: string, name: string): Promise<Shown> =>
  turn(async () => {
    const { default: sharp } = await import('sharp')
    const options = { failOn: 'error', limitInputPixels: false } as const
    const damaged = () =>
      refusedFile(`"${name}" can't be opened: the picture is damaged or incomplete. Please take or export it again.`)
    const about = await sharp(path, options)
      .metadata()
      .catch(() => {
        throw damaged()
      })
    if (about.width * about.height > MOST_PIXELS)
      throw refusedFile(`"${name}" has more than 100 million pixels. Please save it smaller and upload that.`)
    try {
      const heic = type === 'image/heic' || type === 'image/heif'
      const raw = heic && about.compression === 'hevc' ? await decodeHeic(path) : undefined
      const image = raw
        ? sharp(raw.data, { raw: { width: raw.width, height: raw.height, channels: 4 } }).removeAlpha()
        : sharp(path, options).autoOrient()
      const { width, height } = raw ?? about.autoOrient
      return { width, height, ...(await versions(image, !raw && about.hasAlpha, sharp)) }
    } catch {
      throw damaged()
    }
  })

async function versions(image: Sharp, transparent: boolean, sharp: SharpConstructor) {
  const fitted = image.toColourspace('srgb').resize(VIEW, VIEW, { fit: 'inside', withoutEnlargement: true })
  const view = await (transparent ? fitted.webp({ quality: 86 }) : fitted.jpeg({ quality: 84 })).toBuffer()
  const thumbnail = await sharp(view)
    .resize(THUMBNAIL, THUMBNAIL, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 76 })
    .toBuffer()
  return { view, viewType: transparent ? ('image/webp' as const) : ('image/jpeg' as const), thumbnail }
}

interface Raw {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** Decoding takes seconds and never pauses: it has a thread of its own, which is ended when it takes too long. */
function decodeHeic(path: string): Promise<Raw> {
  const { promise, resolve, reject } = Promise.withResolvers<Raw>()
  const worker = new Worker(new URL('./heic-worker.ts', import.meta.url), { workerData: path })
  const late = setTimeout(() => reject(new Error('Decoding took too long')), DECODE_MS)
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.once('exit', () => reject(new Error('The decoder ended early')))
  return promise.finally(() => {
    clearTimeout(late)
    void worker.terminate()
  })
}
