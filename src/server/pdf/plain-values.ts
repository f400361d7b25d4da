import { type RichNode, richNodes } from './rich-text.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Value = null | boolean | number | string | RichNode | readonly Value[] | { readonly [key: string]: Value }

const STARTS = [/^\x89PNG/, /^\xff\xd8\xff/, /^GIF8/, /^RIFF.{4}WEBP/s]

function bytesOf(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64')
  const start = bytes.toString('latin1', 0, 16)
  if (!STARTS.some((s) => s.test(start))) throw new Error('a picture is neither PNG, JPEG, GIF nor WebP')
  return bytes
}

/**
 * Data as a template reads it. `{ html }` becomes `{ rich: nodes }`; `{ base64, … }` becomes `{ file: '/pictures/0', … }`
 * with its bytes in `pictures`. Everything else stays what it is.
 */
export function plainValues(data: Json): { value: Value; pictures: Buffer[] } {
  const pictures: Buffer[] = []
  const walk = (v: Json): Value => {
    if (Array.isArray(v)) return v.map(walk)
    if (v === null || typeof v !== 'object') return v
    if (typeof v.html === 'string') return { rich: richNodes(v.html) }
    if (typeof v.base64 === 'string') {
      const { base64, ...rest } = v
      return { ...rest, file: `/pictures/${pictures.push(bytesOf(v.base64)) - 1}` }
    }
    return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, walk(x)]))
  }
  return { value: walk(data), pictures }
}
