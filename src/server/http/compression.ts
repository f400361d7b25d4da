import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Minimum length of a response that is compressed, in characters. */
const MIN_CHARACTERS = 1024
/** Brotli quality level. Higher levels cost more processor time than they save on the network. */
const BROTLI_QUALITY = 4

type CompressionCallback = (error: Error | null, packed: Buffer) => void
const COMPRESSORS = {
  br: (text: string, done: CompressionCallback) =>
    brotliCompress(
      text,
      { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: text.length } },
      done,
    ),
  gzip: (text: string, done: CompressionCallback) => gzip(text, done),
}
type Encoding = keyof typeof COMPRESSORS
/** Supported encodings, best first. */
const ENCODINGS = Object.keys(COMPRESSORS)

/** Returns the ETag for a compressed response, because different bytes need a different ETag. */
const compressedTag = (tag: string, packing: Encoding): string => tag.replace(/"$/, `+${packing}"`)

/**
 * Converts the ETags in an `If-Match` or `If-None-Match` header to those of uncompressed responses. Compressing proxies
 * mark our ETags as weak.
 */
export const toUncompressedEtags = (header: string): string[] =>
  header.split(',').map((tag) =>
    tag
      .trim()
      .replace(/^W\//, '')
      .replace(/\+(?:br|gzip)"$/, '"'),
  )

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * True if the responses contain a secret. Such responses are not compressed, because their compressed length could
     * reveal the secret.
     */
    readonly secret?: boolean
  }
}

const pickEncoding = ({ headers }: Pick<FastifyRequest, 'headers'>): Encoding | null =>
  headers['accept-encoding'] ? (negotiate(headers['accept-encoding'], ENCODINGS) as Encoding | null) : null

/** A response that is the same for everybody. It is compressed once for each encoding, because anybody may request it. */
export class ConstantResponse {
  private readonly packed = new Map<Encoding, Promise<Buffer>>()
  readonly text: string
  readonly etag: string
  constructor(text: string, etag: string) {
    this.text = text
    this.etag = etag
  }

  /** Sends the response, compressed if the client accepts it. */
  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const packing = this.text.length < MIN_CHARACTERS ? null : pickEncoding(request)
    if (!packing) return this.sendUncompressed(reply)
    reply.headers({ etag: compressedTag(this.etag, packing), 'content-encoding': packing })
    return reply.send(await this.compress(packing))
  }

  /** Sends the response uncompressed, as bytes, which no hook compresses. */
  sendUncompressed(reply: FastifyReply): FastifyReply {
    return reply.header('etag', this.etag).send(Buffer.from(this.text))
  }

  private compress(packing: Encoding): Promise<Buffer> {
    const known = this.packed.get(packing)
    if (known) return known
    const packed = promisify(COMPRESSORS[packing])(this.text)
    this.packed.set(packing, packed)
    return packed
  }
}

/** Compresses text responses for clients that accept compression. Static files are compressed by the build. */
export function compressTextResponses(app: FastifyInstance): void {
  // Uncompressed responses are sent synchronously.
  app.addHook('onSend', (request, reply, payload, done) => {
    const isSecret = request.address?.endpoint.secret ?? request.routeOptions.config.secret
    const isWorth = typeof payload === 'string' && payload.length >= MIN_CHARACTERS && !isSecret
    const packing = isWorth ? pickEncoding(request) : null
    if (!isWorth || !packing) return done(null, payload)
    const tag = reply.getHeader('etag')
    if (typeof tag === 'string') reply.header('etag', compressedTag(tag, packing))
    reply.header('content-encoding', packing).removeHeader('content-length')
    COMPRESSORS[packing](payload, done)
  })
}
