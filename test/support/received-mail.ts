import { expect } from 'vitest'
import { type ReceivedMail, readMail } from '#modules/crm/mail/received-mail.server.ts'

export const OWN = `<letter.12.345.${'a'.repeat(32)}@portal.example>`

/** Expected contents of a received e-mail. Omitted values are not checked, apart from files and remarks. */
export interface Expected {
  readonly kind?: string
  readonly text?: string
  readonly quoted?: string | RegExp
  readonly files?: readonly string[]
  readonly pictures?: number
  readonly subject?: string
  readonly fromName?: string
  readonly says?: string
  readonly remark?: RegExp
}

export const read = async (raw: string | Buffer): Promise<ReceivedMail> => {
  const mail = await readMail(Buffer.isBuffer(raw) ? raw : Buffer.from(raw))
  if (!mail) throw new Error('The e-mail was not read')
  return mail
}

export async function expectMail(raw: string | Buffer, expected: Expected): Promise<void> {
  const mail = await read(raw)
  const { kind, text, quoted, files = [], pictures = 0, subject, fromName, says, remark } = expected
  if (kind) expect(mail.kind).toBe(kind)
  if (text !== undefined) expect(mail.text).toBe(text)
  if (quoted instanceof RegExp) expect(mail.quoted).toMatch(quoted)
  else if (quoted !== undefined) expect(mail.quoted).toBe(quoted)
  if (subject !== undefined) expect(mail.subject).toBe(subject)
  if (fromName !== undefined) expect(mail.fromName).toBe(fromName)
  if (says) expect(mail.calendar?.answer).toBe(says)
  expect(mail.files.map(({ name }) => name)).toEqual(files)
  expect(mail.inlinePictures).toBe(pictures)
  if (remark) expect(mail.remarks.join(' ')).toMatch(remark)
  else expect(mail.remarks).toEqual([])
}

/** Builds an e-mail from header lines and a body. */
export const build = (headers: readonly string[], body: string) =>
  ['From: Ann Field <ann@acme.example>', 'Message-ID: <a@x>', ...headers, '', body]
    .join('\r\n')
    .replace(/\r?\n/g, '\r\n')
export const plain = (text: string, ...headers: string[]) =>
  build(['Content-Type: text/plain; charset=utf-8', ...headers], text)
export const html = (page: string) => build(['Content-Type: text/html; charset=utf-8'], page)
/** Builds a multipart body from its parts, each with headers and a body. */
export const multipart = (type: string, boundary: string, ...parts: (readonly [headers: string, body: string])[]) =>
  [
    `Content-Type: multipart/${type}; boundary="${boundary}"`,
    `${parts.map(([headers, body]) => `--${boundary}\n${headers}\n\n${body}\n`).join('')}--${boundary}--`,
  ] as const
export const mixed = (type: string, ...parts: (readonly [headers: string, body: string])[]) => {
  const [header, body] = multipart(type, 'b', ...parts)
  return build([header], body)
}
export const TEXT = 'Content-Type: text/plain; charset=utf-8'
export const HTML = 'Content-Type: text/html; charset=utf-8'
export const file = (type: string, name: string, more = '') =>
  `Content-Type: ${type}; name="${name}"\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename="${name}"${more}`
export const B64 = (text: string) => Buffer.from(text).toString('base64')
export const report = (...fields: string[]) =>
  mixed(
    'report; report-type=delivery-status',
    [TEXT, 'A report'],
    ['Content-Type: message/delivery-status', `Reporting-MTA: dns; mx.example\n\n${fields.join('\n')}`],
    ['Content-Type: message/rfc822', `Message-ID: ${OWN}\nSubject: Your visit\n\nHow are you?`],
  )
export const receipt = (disposition: string) =>
  mixed(
    'report; report-type=disposition-notification',
    [TEXT, 'Your message was read'],
    [
      'Content-Type: message/disposition-notification',
      `Final-Recipient: rfc822;ann@acme.example\nOriginal-Message-ID: ${OWN}\nDisposition: ${disposition}`,
    ],
  )
export const calendar = (method: string, ...lines: string[]) =>
  mixed(
    'alternative',
    [TEXT, 'Ann has answered'],
    [
      `Content-Type: text/calendar; method=${method}; charset=utf-8`,
      ['BEGIN:VCALENDAR', `METHOD:${method}`, 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR'].join('\n'),
    ],
  )
