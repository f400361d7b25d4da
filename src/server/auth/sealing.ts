import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, SEALING_KEY_BYTES } from '#server/config.ts'
import { systemErrorCode } from '#server/error-code.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const DERIVED_BYTES = 32
const CIPHER = 'aes-256-gcm'

/** Encryption for secrets that the portal must read again. A copy of the database alone therefore reveals nothing. */
export interface SecretSealer {
  /** `about` names the owner of the secret. The sealed secret can only be opened with the same value. */
  seal(secret: string, about: string): string
  /** Throws if the key is wrong or the secret was sealed for another owner. */
  open(sealed: string, about: string): string
  /** Derives 32 bytes for another purpose from each key, the current key first. */
  derive(purpose: string): Buffer[]
}

interface Key {
  readonly id: string
  readonly bytes: Buffer
}

const keyOf = (bytes: Buffer): Key => ({ id: hash('sha256', bytes, 'base64url').slice(0, 8), bytes })

/** Returns the key stored in DATA_DIR, creating it if necessary. */
function keyInFolder(dataDir: string): Buffer {
  const file = join(dataDir, 'secret.key')
  const read = () => Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
  try {
    return read()
  } catch (e) {
    if (systemErrorCode(e) !== 'ENOENT') throw e
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, `${randomBytes(SEALING_KEY_BYTES).toString('base64')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (e) {
    // Another process created the file first.
    if (systemErrorCode(e) !== 'EEXIST') throw e
  }
  return read()
}

/**
 * Creates a sealer that seals with the first key and opens with any of the keys. To rotate keys, put the new key before
 * the others, and remove the old key once it is unused.
 */
export function createSecretSealer(given: readonly Buffer[]): SecretSealer {
  const keys = given.map(keyOf)
  const [first] = keys
  if (!first) throw new Error('There is no key for sealing secrets.')
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
      if (!key) throw new Error(`The key ${id}, with which a secret was sealed, is not in SECRET_KEY or DATA_DIR.`)
      if (!nonce || !text || !tag) throw new Error('A sealed secret is incomplete.')
      const cipher = createDecipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(about)).setAuthTag(tag)
      return Buffer.concat([cipher.update(text), cipher.final()]).toString('utf8')
    },
    derive: (purpose) => keys.map(({ bytes }) => Buffer.from(hkdfSync('sha256', bytes, '', purpose, DERIVED_BYTES))),
  }
}

const sealers = new WeakMap<object, SecretSealer>()

/** Returns the portal's sealer, which uses SECRET_KEY or otherwise the key in DATA_DIR. */
export function secretSealerFor(config: Pick<Config, 'secretKeys' | 'dataDir'>): SecretSealer {
  const sealer = sealers.get(config) ?? createSecretSealer(config.secretKeys ?? [keyInFolder(config.dataDir)])
  sealers.set(config, sealer)
  return sealer
}
