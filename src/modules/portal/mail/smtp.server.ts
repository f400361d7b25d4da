import { Readable } from 'node:stream'
import type { SendMailOptions, Transporter } from 'nodemailer'

/** Time-outs in milliseconds for connecting, greeting and answering. */
const PATIENCE = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 }

/** Connection pool with the library's own limits. */
const POOL = { pool: true, maxConnections: 5, maxMessages: 100, maxRequeues: 2, idleTimeout: 5_000 } as const

/** An e-mail as passed to the mail server. */
export type OutgoingEmail = SendMailOptions & { readonly messageId: string }

/** Called when the server is ready for the content, before it is sent; throws to prevent sending. */
type Gate = () => Promise<void>

class Post {
  readonly url: string
  private readonly it: Transporter
  private readonly gates = new Map<string, Gate>()
  constructor(url: string, it: Transporter) {
    this.url = url
    this.it = it
    it.use('stream', (mail, done) => {
      const { message } = mail
      const gate = this.gates.get(String(mail.data.messageId))
      const stream = message.createReadStream.bind(message)
      message.createReadStream = (options) =>
        Readable.from(
          behind(gate, () => stream(options)),
          { objectMode: false },
        )
      done()
    })
  }

  async send(parcel: OutgoingEmail, gate: Gate): Promise<void> {
    this.gates.set(parcel.messageId, gate)
    try {
      await this.it.sendMail(parcel)
    } finally {
      this.gates.delete(parcel.messageId)
    }
  }

  close(): void {
    this.it.close()
  }
}

async function* behind(gate: Gate | undefined, stream: () => Readable): AsyncGenerator<Buffer> {
  if (!gate) throw new Error('An e-mail can’t be sent without a gate')
  await gate()
  yield* stream()
}

let post: Promise<Post> | undefined
let known = ''

/** Returns the connection pool of the mail server at this address. */
export function connectMailServer(url: string): Promise<Post> {
  if (post && known === url) return post
  void post?.then((old) => old.close())
  known = url
  post = import('nodemailer').then(
    ({ createTransport }) => new Post(url, createTransport({ url, ...POOL, ...PATIENCE })),
  )
  return post
}

/** Refusal or failure of a mail server. */
export interface MailRefusal {
  /** Permanent: 5xx to the e-mail itself, not to our identity. */
  readonly final: boolean
  /** The server has answered, so the outcome is known. */
  readonly answered: boolean
  readonly reason: string
}

const MOST = 300

/** Classifies an error of the library. */
export function classifyMailError(e: unknown): MailRefusal {
  const { code, responseCode, message } = e as Error & { code?: string; responseCode?: number }
  const ofLetter = code === 'EENVELOPE' || code === 'EMESSAGE'
  return {
    final: ofLetter && (responseCode ?? 0) >= 500,
    answered: responseCode !== undefined,
    reason: message.slice(0, MOST),
  }
}
