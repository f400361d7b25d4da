import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, KEY_BYTES } from '#server/config.ts'
import { codeOf } from '#server/error-code.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

/** Encrypts what the portal must be able to read again, so that a copy of the database alone tells nothing. */
export interface Sealer {
  /** `about` says what the secret belongs to: it opens as that only. */
  seal(secret: string, about: string): string
  /** Throws where the key is not the one that sealed it, or the text belongs to something else. */
  open(sealed: string, about: string): string
}

interface Key {
  readonly id: string
  readonly bytes: Buffer
}

const keyOf = (bytes: Buffer): Key => ({ id: hash('sha256', bytes, 'base64url').slice(0, 8), bytes })

/** The key in DATA_DIR, made when it is first needed. */
function keyInFolder(dataDir: string): Buffer {
  const file = join(dataDir, 'secret.key')
  const read = () => Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
  try {
    return read()
  } catch (e) {
    if (codeOf(e) !== 'ENOENT') throw e
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (e) {
    // Another process of this folder was quicker.
    if (codeOf(e) !== 'EEXIST') throw e
  }
  return read()
}

/** Seals by the first key, and opens by any: a new key is put in front, and the old one leaves when nothing needs it. */
export function makeSealer(given: readonly Buffer[]): Sealer {
  const keys = given.map(keyOf)
  const [first] = keys
  if (!first) throw new Error('There is no key to seal with.')
  return {
    seal: (secret, about) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, first.bytes, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(about))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return [first.id, ...[nonce, text, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.')
    },
    open: (sealed, about) => {
      const [id, ...parts] = sealed.split('.')
      const [nonce, text, tag] = parts.map((part) => Buffer.from(part, 'base64url'))
      const key = keys.find((one) => one.id === id)
      if (!key) throw new Error(`The key ${id} that sealed a secret is not among those of SECRET_KEY or DATA_DIR.`)
      if (!nonce || !text || !tag) throw new Error('A sealed secret is not whole.')
      const cipher = createDecipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(about)).setAuthTag(tag)
      return Buffer.concat([cipher.update(text), cipher.final()]).toString('utf8')
    },
  }
}

const sealers = new WeakMap<object, Sealer>()

/** The portal's own: by SECRET_KEY, or by the key in DATA_DIR. */
export function sealerOf(config: Pick<Config, 'secretKeys' | 'dataDir'>): Sealer {
  const sealer = sealers.get(config) ?? makeSealer(config.secretKeys ?? [keyInFolder(config.dataDir)])
  sealers.set(config, sealer)
  return sealer
}
