import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

/** Returns the code that an authenticator app would show for a secret, `halfMinutes` half-minutes from now. */
export const totpCode = (secret: string, halfMinutes = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + halfMinutes * 30_000 })

interface Options {
  readonly challenge: string
}

const USER_PRESENT = 0x01
const WITH_CREDENTIAL = 0x40
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const uint = (n: number, bytes: number) => {
  const out = Buffer.alloc(bytes)
  out.writeUIntBE(n, 0, bytes)
  return out
}
/** Encodes a short text in CBOR. */
const cborText = (s: string) => Buffer.concat([Buffer.from([0x60 + s.length]), Buffer.from(s)])
const cborBytes = (b: Buffer) => Buffer.concat([Buffer.from([0x59]), uint(b.length, 2), b])

/** Creates a software passkey that responds as `navigator.credentials` would for an origin. */
export function makeSoftwarePasskey(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const rpIdHash = sha256(new URL(origin).hostname)
  let counter = 0
  const clientData = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))
  const authData = (flags: number, more = Buffer.alloc(0)) =>
    Buffer.concat([rpIdHash, Buffer.from([flags]), uint(++counter, 4), more])
  const answer = (response: Record<string, unknown>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })
  return {
    /** Returns the result of `navigator.credentials.create`. */
    create({ challenge }: Options, from = origin) {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const [px, py] = [x, y].map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer]
      const key = Buffer.concat([Buffer.from('a5010203262001215820', 'hex'), px, Buffer.from('225820', 'hex'), py])
      const credential = Buffer.concat([Buffer.alloc(16), uint(id.length, 2), id, key])
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        cborText('fmt'),
        cborText('none'),
        cborText('attStmt'),
        Buffer.from([0xa0]),
        cborText('authData'),
        cborBytes(authData(USER_PRESENT | WITH_CREDENTIAL, credential)),
      ])
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge, from).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      })
    },
    /** Returns the result of `navigator.credentials.get`. */
    get({ challenge }: Options, from = origin) {
      const data = clientData('webauthn.get', challenge, from)
      const auth = authData(USER_PRESENT)
      const signature = createSign('sha256').update(auth).update(sha256(data)).sign(privateKey)
      return answer({
        clientDataJSON: data.toString('base64url'),
        authenticatorData: auth.toString('base64url'),
        signature: signature.toString('base64url'),
      })
    },
  }
}
