/** An accepted kind of file, with its extensions and description. Downloads get the first extension. */
export interface FileKind {
  readonly type: string
  readonly endings: readonly string[]
  readonly words: string
  /** Family of similar kinds. Cameras and programs often confuse kinds within one family. This is harmless. */
  readonly family: 'image' | 'pdf' | 'word' | 'sheet' | 'slides' | 'text' | 'mail'
}

const kind = (type: string, endings: string, words: string, family: FileKind['family']): FileKind => ({
  type,
  endings: endings.split(' '),
  words,
  family,
})
const open = 'application/vnd.oasis.opendocument'
const office = 'application/vnd.openxmlformats-officedocument'

const KINDS: readonly FileKind[] = [
  kind('image/jpeg', 'jpg jpeg jpe jfif', 'a JPEG picture', 'image'),
  kind('image/png', 'png', 'a PNG picture', 'image'),
  kind('image/webp', 'webp', 'a WebP picture', 'image'),
  kind('image/gif', 'gif', 'a GIF picture', 'image'),
  kind('image/heic', 'heic', 'a HEIC picture', 'image'),
  kind('image/heif', 'heif', 'a HEIF picture', 'image'),
  kind('image/avif', 'avif', 'an AVIF picture', 'image'),
  kind('image/tiff', 'tif tiff', 'a TIFF picture', 'image'),
  kind('application/pdf', 'pdf', 'a PDF document', 'pdf'),
  kind(`${office}.wordprocessingml.document`, 'docx', 'a Word document', 'word'),
  kind('application/msword', 'doc', 'a Word document', 'word'),
  kind(`${open}.text`, 'odt', 'an OpenDocument text document', 'word'),
  kind(`${office}.spreadsheetml.sheet`, 'xlsx', 'an Excel workbook', 'sheet'),
  kind('application/vnd.ms-excel', 'xls', 'an Excel workbook', 'sheet'),
  kind(`${open}.spreadsheet`, 'ods', 'an OpenDocument spreadsheet', 'sheet'),
  kind(`${office}.presentationml.presentation`, 'pptx', 'a PowerPoint presentation', 'slides'),
  kind('application/vnd.ms-powerpoint', 'ppt', 'a PowerPoint presentation', 'slides'),
  kind('text/csv', 'csv', 'a CSV file', 'text'),
  kind('text/plain', 'txt', 'a plain text file', 'text'),
  kind('message/rfc822', 'eml', 'an e-mail', 'mail'),
  kind('application/vnd.ms-outlook', 'msg', 'an Outlook e-mail', 'mail'),
]

/** Kinds that a received e-mail states for its parts. The last is stored only if it comes with an e-mail. */
export const MAIL_FILE_KINDS: readonly FileKind[] = [
  ...KINDS.filter(({ type }) => type === 'message/rfc822'),
  kind('application/ms-tnef', 'dat', 'a file in Outlook’s own format', 'mail'),
]

export const ACCEPTED_FILE_TYPES = KINDS.map(({ type }) => type) as [string, ...string[]]

/** Rejected content types that are common enough to be named in the error message. */
const REFUSED: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/msdownload|x-elf|mach-binary|x-msi|x-dosexec/, 'a program'],
  [/zip|x-7z|x-rar|x-tar|gzip|x-bzip|x-xz/, 'a compressed archive'],
  [/macroenabled/, 'a document with macros'],
  [/svg|xml|html/, 'a web or XML page'],
  [/^video\//, 'a video'],
  [/^audio\//, 'an audio recording'],
  [/^image\//, 'an unsupported type of picture'],
]

export const fileExtensionOf = (name: string): string => /\.([^.\s]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? ''
export const fileKindForName = (name: string): FileKind | undefined =>
  KINDS.find((k) => k.endings.includes(fileExtensionOf(name)))
export const fileKindForMimeType = (type: string): FileKind | undefined => KINDS.find((k) => k.type === type)

/** Returns a description of a content type for use in a sentence. */
export const describeFileType = (type: string): string =>
  fileKindForMimeType(type)?.words ?? REFUSED.find(([pattern]) => pattern.test(type))?.[1] ?? `of the type ${type}`

/** True if browsers can display the content type. Other types can only be downloaded. */
export const isInlineMimeType = (type: string): boolean =>
  type === 'application/pdf' || ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'].includes(type)
