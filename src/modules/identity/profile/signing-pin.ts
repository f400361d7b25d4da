export const PIN_DIGITS = 6

/** Address of the user's own PIN. */
export const OWN_SIGNING_PIN_URL = '/api/security/signing_pin'

/** State of a person's PIN. The PIN itself is never returned. */
export interface SigningPinState {
  readonly isSet: boolean
  /** ISO 8601 instant of the last change; null if no PIN is set. */
  readonly changedAt: string | null
}

/** Returns the reason why a text can't be a new PIN; undefined if it is a PIN that is not easily guessed. */
export function signingPinProblem(pin: string): string | undefined {
  if (!/^\d{6}$/.test(pin)) return `Please enter a PIN of ${PIN_DIGITS} digits`
  const digits = pin.split('').map(Number)
  const isStraight = [-1, 0, 1].some((step) => digits.every((digit, i) => digit === (digits[0] ?? 0) + i * step))
  if (isStraight || /^(\d{1,3})\1+$/.test(pin))
    return 'This PIN is too easy to guess. Please avoid repeated digits and sequences such as 123456, 654321 or 121212'
  return undefined
}

/** Signature to which a sealed PIN belongs. With any other signature, the PIN is not accepted. */
export interface SignatureOfPin {
  /** ID of the person who signs; null if the device does not know it, because the name had not been sent yet. */
  readonly user: number | null
  readonly name: string
  /** ID of the document whose presentation the signature confirms. */
  readonly document: number
  /** ID of the signed record; null if the record had not been sent to the server yet. */
  readonly record: number | null
  /** Drawing in the form in which it is sent. */
  readonly strokes: unknown
}

/** PIN as sealed, with the signature to which it belongs. */
export interface SealedPinContent extends Omit<SignatureOfPin, 'strokes'> {
  readonly pin: string
  /** SHA-256 of the drawing. */
  readonly drawing: string
  /** Time at which the PIN was entered, as an ISO 8601 instant. */
  readonly at: string
}

const CURVE = { name: 'ECDH', namedCurve: 'P-256' } as const
const IV_BYTES = 12

const toHex = (bytes: ArrayBuffer | Uint8Array): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** Returns the SHA-256 of a drawing as sent, in hexadecimal. */
export const digestOfDrawing = async (strokes: unknown): Promise<string> =>
  toHex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(strokes))))

/** Derives the key that a private and a public key share. */
async function sharedKey(privateKey: CryptoKey, publicKey: string, use: 'encrypt' | 'decrypt'): Promise<CryptoKey> {
  const theirs = await crypto.subtle.importKey('raw', fromHex(publicKey), CURVE, false, [])
  const bits = await crypto.subtle.deriveBits({ name: 'ECDH', public: theirs }, privateKey, 256)
  const material = await crypto.subtle.importKey('raw', bits, 'HKDF', false, ['deriveKey'])
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: new TextEncoder().encode('PIN') }
  return crypto.subtle.deriveKey(derivation, material, { name: 'AES-GCM', length: 256 }, false, [use])
}

/** False in a browser that can't seal a PIN, because the portal was not opened over HTTPS. */
export const canSealPin = (): boolean => globalThis.crypto?.subtle !== undefined

/**
 * Seals a PIN so that only the server can read it, because the PIN may have to wait on the device for a connection. The
 * key pair with which it is sealed is discarded, so that the device can't open it either. `publicKey`: the server's, in
 * hexadecimal. `at`: the time by the server's clock, as an ISO 8601 instant.
 */
export async function sealSigningPin(
  publicKey: string,
  pin: string,
  { strokes, ...signature }: SignatureOfPin,
  at: string = new Date().toISOString(),
): Promise<string> {
  const own = await crypto.subtle.generateKey(CURVE, false, ['deriveBits'])
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const drawing = await digestOfDrawing(strokes)
  const content: SealedPinContent = { ...signature, pin, drawing, at }
  const text = new TextEncoder().encode(JSON.stringify(content))
  const key = await sharedKey(own.privateKey, publicKey, 'encrypt')
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, text)
  return [await crypto.subtle.exportKey('raw', own.publicKey), iv, sealed].map(toHex).join('.')
}

/**
 * The only accepted encoding of a sealed PIN: its uncompressed point, initialisation vector and ciphertext in
 * hexadecimal.
 */
const SEALED_PIN = /^04[0-9a-f]{128}\.[0-9a-f]{24}\.(?:[0-9a-f]{2})+$/

/**
 * Opens a sealed PIN, whose content is still to be validated. Returns undefined if it was sealed for another key, has
 * been changed or is encoded differently.
 */
export async function openSigningPin(privateKey: CryptoKey, sealed: string): Promise<unknown> {
  if (!SEALED_PIN.test(sealed)) return undefined
  const [publicKey = '', iv = '', text = ''] = sealed.split('.')
  try {
    const key = await sharedKey(privateKey, publicKey, 'decrypt')
    const bytes = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: fromHex(iv) }, key, fromHex(text))
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown
  } catch {
    return undefined
  }
}
