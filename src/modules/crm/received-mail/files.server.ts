import { Readable } from 'node:stream'
import { Problem } from '#kernel/errors.ts'
import { fileTooLargeMessage } from '#kernel/file-limit.ts'
import type { RowOf } from '#kernel/resource.ts'
import { storeFile } from '#modules/portal/files/upload.server.ts'
import type { Engine } from '#server/engine/types.ts'
import { MAIL_FILE_KINDS } from '#server/files/kinds.ts'
import { discardReceivedFile, type ReceivedFile, receiveToDisk } from '#server/files/receive.ts'
import type { mailMessage } from '../mail/message.ts'
import type { ReceivedMail } from '../mail/received-mail.server.ts'
import { MAX_TEXT_CHARACTERS } from './reports.ts'

/** Maximum number of attached files that are stored with an e-mail. */
const MAX_FILES = 20
/** Maximum time in which all pictures of an e-mail are opened. */
const MAX_PICTURES_MS = 20_000

export type Mail = ReceivedMail<ReceivedFile>

export interface StoredFiles {
  readonly stored: readonly Awaited<ReturnType<typeof storeFile>>[]
  readonly refused: readonly { readonly name: string; readonly reason: string }[]
  /** Sentence about a text that is too long to be shown; empty if it is shown in full. */
  readonly remark: string
}

/**
 * Inspects and stores the files of a received e-mail by the rules for uploads; text that is too long to show is stored
 * as a file. Refused files are returned with the reason. Replies to an e-mail with a personal link may quote the link,
 * so their attached text files are not stored.
 */
export async function storeMailFiles(
  { config }: Engine,
  clientId: number,
  { confidential }: Pick<RowOf<typeof mailMessage>, 'confidential'>,
  mail: Mail,
  kept: string[],
): Promise<StoredFiles> {
  const stored: StoredFiles['stored'][number][] = []
  const refused: StoredFiles['refused'][number][] = []
  const emailBudget = { leftMs: MAX_PICTURES_MS }
  const store = async ({ name, type, content }: Mail['files'][number]) => {
    try {
      if (content.bytes > config.fileLimit) throw new Problem(422, fileTooLargeMessage(name, config.fileLimit))
      const known = MAIL_FILE_KINDS.find((kind) => kind.type === type)
      stored.push(await storeFile(config, clientId, { name, ...content }, kept, { known, emailBudget }))
    } catch (e) {
      // A refusal concerns only this file. Without a scanner or a free process, the mail server sends the e-mail again
      // later.
      if (!(e instanceof Problem) || e.status === 429 || e.status >= 500) throw e
      refused.push({ name, reason: e.message })
    }
  }
  const ownText = confidential ? await writeOwnText(mail) : undefined
  const longTexts = confidential ? (ownText ?? []) : mail.longTexts
  try {
    for (const one of longTexts) await store(one)
  } finally {
    for (const { content } of ownText ?? []) await discardReceivedFile(content)
  }
  const isWhole = stored.length === longTexts.length && !(confidential && mail.isCut)
  const remark = longTexts.length || mail.isCut ? describeLongText(stored.length > 0, isWhole, confidential) : ''
  for (const [n, file] of mail.files.entries())
    if (n >= MAX_FILES)
      refused.push({ name: file.name, reason: `Only the first ${MAX_FILES} files of an e-mail are stored.` })
    else if (confidential && /^(text|message)\//.test(file.type))
      refused.push({
        name: file.name,
        reason: 'The file may contain the personal link of the e-mail that it answers.',
      })
    else await store(file)
  return { stored, refused, remark }
}

/** Writes the sender's own text to a file on disk if it is too long to be shown. */
async function writeOwnText({ wholeText }: Mail): Promise<Mail['longTexts']> {
  if (wholeText.length <= MAX_TEXT_CHARACTERS) return []
  const content = await receiveToDisk(Readable.from([Buffer.from(wholeText)]), Number.POSITIVE_INFINITY)
  return [{ name: 'E-mail text.txt', type: 'text/plain', content }]
}

function describeLongText(isStored: boolean, isWhole: boolean, confidential: boolean): string {
  const rest = !isStored
    ? 'The rest is not stored.'
    : isWhole
      ? `All of it${confidential ? ', without links,' : ''} is in the attached text file.`
      : 'More of it is in the attached text file, and the rest is not stored.'
  return `The text is too long to be shown in full. ${rest}`
}
