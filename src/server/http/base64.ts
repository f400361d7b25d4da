/** Decodes `QWNtZQ==` to `Acme`; returns a value unchanged if it is not base64 of readable text. */
export function decodeBase64Text(s: string): string {
  const compact = s.replace(/\s/g, '+')
  if (!/^[A-Za-z0-9+/]{2,}={0,2}$/.test(compact) || compact.length % 4 !== 0) return s
  const bytes = Buffer.from(compact, 'base64')
  const text = bytes.toString('utf8')
  // If it encodes back to the same text and is printable, it was base64.
  return bytes.toString('base64') === compact && !/[\p{Cc}\ufffd]/u.test(text) ? text : s
}
