import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign, verify } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, SEALING_KEY_BYTES } from '#server/config.ts'
import { systemErrorCode } from '#server/error-code.ts'

type Where = Pick<Config, 'evidenceKeys' | 'dataDir'>

/** Contents of a head before it is signed: the end of a client's chain. `at` is an ISO 8601 instant in UTC. */
export interface UnsignedChainHead {
  readonly clientId: number
  readonly entries: number
  readonly hash: string
  readonly at: string
}

export interface SignedChainHead extends UnsignedChainHead {
  /** The public key, in base64url. */
  readonly key: string
  readonly signature: string
}

/** PKCS #8 prefix that precedes the seed of an Ed25519 key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

interface Key {
  readonly secret: KeyObject
  readonly open: KeyObject
  readonly name: string
}

function keyOf(seed: Buffer): Key {
  const secret = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
  const open = createPublicKey(secret)
  return { secret, open, name: open.export({ format: 'jwk' }).x as string }
}

/** Signs heads with the first key, and verifies heads signed with any key. */
export class EvidenceKeys {
  private readonly all: readonly Key[]
  constructor(seeds: readonly Buffer[]) {
    this.all = seeds.map(keyOf)
  }

  /** Returns the public keys in base64url. The first key is the one that signs. */
  get names(): readonly string[] {
    return this.all.map((key) => key.name)
  }

  sign(standing: UnsignedChainHead): SignedChainHead {
    const [key] = this.all
    if (!key) throw new Error('There is no key for signing chain heads.')
    const signature = sign(null, bytesToSign(standing, key.name), key.secret).toString('base64url')
    return { ...standing, key: key.name, signature }
  }

  /** Returns the reason why a head's signature is invalid; `undefined` if it is valid. */
  refusalOf(head: SignedChainHead): string | undefined {
    const key = this.all.find((one) => one.name === head.key)
    if (!key) return `is signed with the key ${head.key}, which is not in EVIDENCE_KEY or DATA_DIR`
    const isTrue = verify(null, bytesToSign(head, key.name), key.open, Buffer.from(head.signature, 'base64url'))
    return isTrue ? undefined : 'does not match its signature'
  }
}

const bytesToSign = ({ clientId, entries, hash, at }: UnsignedChainHead, key: string): Buffer =>
  Buffer.from(JSON.stringify(['stanchion head', 1, clientId, entries, hash, at, key]))

const isMissing = (e: unknown) => systemErrorCode(e) === 'ENOENT'

/** Returns the evidence folder in DATA_DIR. */
export const evidenceFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'evidence')

function seedIn(config: Where): Buffer | undefined {
  try {
    return Buffer.from(readFileSync(join(evidenceFolder(config), 'head.key'), 'utf8').trim(), 'base64')
  } catch (e) {
    if (isMissing(e)) return undefined
    throw e
  }
}

/**
 * Loads the existing keys: those in EVIDENCE_KEY or, if it is not set, the key in DATA_DIR. DATA_DIR contains no key
 * until the first head is signed.
 */
export function loadEvidenceKeys(config: Where): EvidenceKeys {
  const seed = config.evidenceKeys ? undefined : seedIn(config)
  return new EvidenceKeys(config.evidenceKeys ?? (seed ? [seed] : []))
}

/** Loads the existing keys, or creates a key in DATA_DIR if there are none. */
export function loadOrCreateEvidenceKeys(config: Where): EvidenceKeys {
  if (!config.evidenceKeys && !seedIn(config)) {
    mkdirSync(evidenceFolder(config), { recursive: true, mode: 0o700 })
    try {
      const seed = randomBytes(SEALING_KEY_BYTES).toString('base64')
      writeFileSync(join(evidenceFolder(config), 'head.key'), `${seed}\n`, { flag: 'wx', mode: 0o600 })
    } catch (e) {
      // Another process created the file first.
      if (systemErrorCode(e) !== 'EEXIST') throw e
    }
  }
  return loadEvidenceKeys(config)
}
