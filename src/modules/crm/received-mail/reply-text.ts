/** A line of an e-mail. */
export interface MailLine {
  readonly text: string
  /** Level of quotation; 0 for the sender's own text. */
  readonly level: number
  /** True in a part that the mail program marks as a signature. */
  readonly isSignature: boolean
}

/** An e-mail's text in two parts, which together contain all of it. */
export interface SplitText {
  /** The sender's own text, and the quoted lines that it answers one by one. */
  readonly text: string
  /** The rest: quoted e-mails and the signature. Quoted lines begin with ">". */
  readonly quoted: string
}

/** Splits plain text into lines and determines their level of quotation by their ">". */
export const linesOfText = (text: string): MailLine[] =>
  text.split('\n').map((line) => {
    const marks = line.startsWith('>') ? (/^(?:> ?)+/.exec(line)?.[0] ?? '') : ''
    return { text: line.slice(marks.length), level: marks.replaceAll(' ', '').length, isSignature: false }
  })

/**
 * Words of the line with which mail programs introduce a quotation: "On … wrote:", "Am … schrieb …:", "Le … a écrit :",
 * "Ar … ysgrifennodd …:", and those of further languages.
 */
const ATTRIBUTION_BEGINNING =
  /^(?:On|Am|Le|Ar|El|Il|Op|Den|Em|Dnia|W dniu|Dne|Pe|(?:Man|Tir|Ons|Tor|Fre|Lør|Søn)\.?) ?\S/u
const ATTRIBUTION_VERB =
  /(?:^|[\s\u00a0>,])(?:wrote|schrieb|a\s[ée]crit|(?:yr\s)?ysgrifennodd|escribi[óo]|ha\sscritto|schreef|skrev|escreveu|napisał(?:\(a\))?|napsala?|a\sscris)(?=[\s\u00a0:,]|$)/u
/** "2026-11-20 10:00 GMT Portal Sales <sales@portal.example>:" */
const DATED_ATTRIBUTION = /^\d{4}-\d\d-\d\d[^<>]{1,150}<[^<>\s]{3,100}>\s?:$/
const MAX_ATTRIBUTION_LENGTH = 300
const MAX_ATTRIBUTION_LINES = 4

/** Lines after which everything up to the end is a quoted or forwarded e-mail. */
const SEPARATOR =
  /^(?:_{20,}|-{2,}\s?(?:Original Message|Original Appointment|Forwarded message|Urspr(?:ü|ue)ngliche Nachricht|Weitergeleitete Nachricht|Message d['’]origine|Message transféré|Neges wreiddiol|Neges a anfonwyd ymlaen|Mensaje original|Messaggio originale|Oorspronkelijk bericht)\s?-*|Begin forwarded message:|Anfang der weitergeleiteten Nachricht:|Début du message (?:réexpédié|transféré) :)$/iu

/** Names of the header lines with which Outlook introduces a quoted e-mail: English, German, French, Welsh and others. */
const FROM_LINE = /^\*?(?:From|Von|De|Oddi wrth|Oddi|Gan|Da|Van|Från|Fra|Od)\s?:\*?\s/u
const HEADER_LINE =
  /^\*?(?:Sent|Date|To|Cc|Bcc|Subject|Reply-To|Importance|Gesendet|Datum|An|Betreff|Kopie|Envoyé|À|A|Objet|Anfonwyd|Dyddiad|At|I|Pwnc|Testun|Copi|Enviado(?: el)?|Fecha|Para|Asunto|Inviato|Data|Oggetto|Verzonden|Aan|Onderwerp|Skickat|Till|Ämne|Sendt|Til|Emne)\s?:\*?(?:\s|$)/u

const PGP_BEGINNING = /^-----BEGIN PGP SIGNED MESSAGE-----$/
const PGP_SIGNATURE = /^-----BEGIN PGP SIGNATURE-----$/
/** Maximum number of lines after "--", without its space, that are taken as a signature. */
const MAX_UNMARKED_SIGNATURE = 12
/** Number of quoted lines that stay visible above an answer to them. */
const SHOWN_QUOTED_LINES = 5

type Role = 'own' | 'quoted' | 'signature'

/**
 * Separates the sender's own text from quoted e-mails and the signature. Answers below quoted lines stay visible, with
 * the last lines that they answer. Each line is in exactly one of the two parts.
 */
export function splitReply(lines: readonly MailLine[]): SplitText {
  const roles = rolesOf(lines)
  const shown = showAnsweredLines(lines, roles)
  const write = (wanted: boolean) => {
    const parts = lines.flatMap(({ text, level }, n) =>
      shown[n] === wanted ? [level ? `${'>'.repeat(Math.min(level, 9))} ${text}`.trimEnd() : text.trimEnd()] : [],
    )
    return parts
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  }
  return { text: write(true), quoted: write(false) }
}

const isBlank = (line: MailLine | undefined): boolean => !line?.text.trim()

/** Determines the role of each line. */
function rolesOf(lines: readonly MailLine[]): Role[] {
  const roles: Role[] = []
  const beforeEnd = lines.findLastIndex((line) => !isBlank(line))
  for (let n = 0; n < lines.length; ) {
    const line = lines[n] as MailLine
    if (!line.text && !line.level && !line.isSignature) {
      roles[n++] = 'own'
      continue
    }
    const introduced = line.level ? 0 : attributionLines(lines, n)
    if (line.level) roles[n++] = 'quoted'
    else if (introduced) {
      // Without marks, the quotation extends to the end. With marks, the text after it is the sender's own.
      const next = lines.slice(n + introduced, n + introduced + 3).find((one) => !isBlank(one))
      const end = next?.level ? n + introduced : lines.length
      while (n < end) roles[n++] = 'quoted'
    } else if (SEPARATOR.test(line.text.trim()) || isHeaderBlock(lines, n)) {
      while (n < lines.length) roles[n++] = 'quoted'
    } else if (line.isSignature || beginsSignature(lines, n, beforeEnd)) {
      const isMarked = line.isSignature
      do roles[n++] = 'signature'
      while (n < lines.length && (isMarked ? lines[n]?.isSignature : !endsSignature(lines, n)))
    } else {
      roles[n] = isPgpFrame(lines, n) ? 'signature' : 'own'
      n++
    }
  }
  return roles
}

/** Returns the number of lines, from this one on, that introduce a quotation; 0 if they don't. */
function attributionLines(lines: readonly MailLine[], at: number): number {
  const first = lines[at]?.text.trim() ?? ''
  if (first.length > MAX_ATTRIBUTION_LENGTH) return 0
  if (DATED_ATTRIBUTION.test(first)) return 1
  if (!ATTRIBUTION_BEGINNING.test(first)) return 0
  let all = ''
  for (let count = 1; count <= MAX_ATTRIBUTION_LINES; count++) {
    const line = lines[at + count - 1]
    if (!line || line.level || isBlank(line)) return 0
    all += ` ${line.text.trim()}`
    if (all.length > MAX_ATTRIBUTION_LENGTH) return 0
    if (/:$/.test(all) && ATTRIBUTION_VERB.test(all)) return count
  }
  return 0
}

/** True if the header lines of a quoted e-mail begin here: its sender, followed by at least two others. */
function isHeaderBlock(lines: readonly MailLine[], at: number): boolean {
  if (!FROM_LINE.test(lines[at]?.text.trimStart() ?? '')) return false
  const next = lines.slice(at + 1, at + 9).filter((line) => !isBlank(line))
  return next.slice(0, 4).filter(({ text }) => HEADER_LINE.test(text.trimStart())).length >= 2
}

function beginsSignature(lines: readonly MailLine[], at: number, last: number): boolean {
  const text = lines[at]?.text ?? ''
  if (PGP_SIGNATURE.test(text.trim())) return true
  return text === '-- ' || (/^--\s*$/.test(text) && last - at <= MAX_UNMARKED_SIGNATURE)
}

const endsSignature = (lines: readonly MailLine[], at: number): boolean => {
  const line = lines[at] as MailLine
  return (
    line.level > 0 || attributionLines(lines, at) > 0 || SEPARATOR.test(line.text.trim()) || isHeaderBlock(lines, at)
  )
}

/** True for the lines with which a PGP signature begins: the marker and, after it, the name of the hash. */
const isPgpFrame = (lines: readonly MailLine[], at: number): boolean =>
  PGP_BEGINNING.test(lines[at]?.text.trim() ?? '') ||
  (/^Hash: /.test(lines[at]?.text ?? '') && PGP_BEGINNING.test(lines[at - 1]?.text.trim() ?? ''))

/** Returns which lines are visible: the sender's own, and the last quoted lines above each answer to them. */
function showAnsweredLines(lines: readonly MailLine[], roles: readonly Role[]): boolean[] {
  const shown = roles.map((role) => role === 'own')
  const isText = (n: number) => roles[n] === 'own' && !isBlank(lines[n])
  /** Ends of the quoted blocks that are followed by the sender's own text. */
  const answered: number[] = []
  let lastQuoted = -1
  let wroteBefore = false
  for (const n of lines.keys()) {
    if (roles[n] === 'quoted' && !isBlank(lines[n])) lastQuoted = n
    else if (isText(n)) {
      if (lastQuoted >= 0) answered.push(lastQuoted)
      else if (!answered.length) wroteBefore = true
      lastQuoted = -1
    }
  }
  // A single answer below the whole quotation needs none of it.
  if (answered.length < 2 && !(answered.length && wroteBefore)) return shown
  for (const end of answered)
    for (let n = end; n > end - SHOWN_QUOTED_LINES && roles[n] === 'quoted' && lines[n]?.level; n--) shown[n] = true
  return shown
}
