import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance } from 'fastify'

/** Shorter answers are not compressed. */
const MIN_CHARACTERS = 1024
/** Beyond this, brotli takes more of the processor than the network gives back. */
const BROTLI_QUALITY = 4

type Done = (error: Error | null, packed: Buffer) => void
const COMPRESSORS = {
  br: (text: string, done: Done) =>
    brotliCompress(
      text,
      { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: text.length } },
      done,
    ),
  gzip: (text: string, done: Done) => gzip(text, done),
}
type Encoding = keyof typeof COMPRESSORS
/** The better first. */
const ENCODINGS = Object.keys(COMPRESSORS)

/** The tag of a compressed answer: other bytes need another tag. */
const compressedTag = (tag: string, packing: Encoding): string => tag.replace(/"$/, `+${packing}"`)

/** The tags of an `If-Match` or `If-None-Match`, as for uncompressed answers: a compressing proxy marks ours as weak. */
export const uncompressedTags = (header: string): string[] =>
  header.split(',').map((tag) =>
    tag
      .trim()
      .replace(/^W\//, '')
      .replace(/\+(?:br|gzip)"$/, '"'),
  )

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its answers hold a secret, which their compressed length could reveal. */
    readonly secret?: boolean
  }
}

/** Compresses texts for callers who accept it. Files are compressed by the build. */
export function compressTexts(app: FastifyInstance): void {
  // An uncompressed answer waits for no promise.
  app.addHook('onSend', (request, reply, payload, done) => {
    const accepted = request.headers['accept-encoding']
    const isSecret = request.address?.endpoint.secret ?? request.routeOptions.config.secret
    const isWorth = typeof payload === 'string' && payload.length >= MIN_CHARACTERS && !isSecret
    const packing = isWorth && accepted ? (negotiate(accepted, ENCODINGS) as Encoding | null) : null
    if (!isWorth || !packing) return done(null, payload)
    const tag = reply.getHeader('etag')
    if (typeof tag === 'string') reply.header('etag', compressedTag(tag, packing))
    reply.header('content-encoding', packing).removeHeader('content-length')
    COMPRESSORS[packing](payload, done)
  })
}
