import encodeQR from 'qr'
import type { Letterhead } from '#modules/portal/letterhead/letterhead.server.ts'
import type { PdfPicture } from '#server/pdf/furniture.ts'
import { renderPdf } from '#server/pdf/render.ts'

export interface LoginLetter {
  readonly name: string
  readonly username: string
  /** The code itself, which is stored nowhere. */
  readonly code: string
}

export interface LoginLetters {
  readonly clientId: number
  readonly sender: {
    readonly brand: Letterhead['brand']
    readonly client: Omit<Letterhead['client'], 'logo'> & { readonly logo: PdfPicture | undefined }
  }
  /** Page on which the code is entered. */
  readonly address: string
  /** Last day of the codes. */
  readonly until: string
  readonly letters: readonly LoginLetter[]
}

/** Renders a page for each employee. Its QR code opens the page with everything except the code. */
export function renderLoginLetters({ clientId, letters, address, ...said }: LoginLetters): Promise<Buffer> {
  const qrOf = ({ username }: LoginLetter) => {
    const url = `${address}?${new URLSearchParams({ client: String(clientId), username })}`
    const gif = Buffer.from(encodeQR(url, 'gif', { ecc: 'medium', border: 2, scale: 8 }))
    return { base64: gif.toString('base64'), alt: `QR code that opens ${address}` }
  }
  return renderPdf({
    template: new URL('./login-letter.typ', import.meta.url),
    client: clientId,
    title: 'Login details',
    data: { ...said, address, number: clientId, letters: letters.map((one) => ({ ...one, qr: qrOf(one) })) },
  })
}
