import { showsText } from '#kernel/text.ts'

/** What of somebody on a list says how they stand. */
interface Told {
  readonly name?: string
  readonly signedAt?: string | null
  readonly method?: string | null
  readonly absence?: string | null
}

/** How many of a list heard a talk, by what speaks for it. */
export interface Heard {
  readonly all: number
  /** Signed with their own hand, and were there. */
  readonly own: number
  /** Somebody else signed for them. */
  readonly behalf: number
  /** Were not there; also who signed late since. */
  readonly absent: number
  readonly caughtUp: number
}

/** Who was not there counts as absent, whatever was signed since: they did not hear it on the day. */
export function countHeard(people: readonly Told[]): Heard {
  const absent = people.filter((p) => showsText(p.absence ?? ''))
  const there = people.filter((p) => p.signedAt && !showsText(p.absence ?? ''))
  const behalf = there.filter((p) => p.method === 'on behalf').length
  return {
    all: people.length,
    own: there.length - behalf,
    behalf,
    absent: absent.length,
    caughtUp: absent.filter((p) => p.signedAt).length,
  }
}

/** The same everywhere: `1 of 5 signed, 1 on behalf, 1 absent, 2 absent on the day and signed late`. */
export function heardWords({ all, own, behalf, absent, caughtUp }: Heard): string {
  return [
    `${own} of ${all} signed`,
    ...(behalf ? [`${behalf} on behalf`] : []),
    ...(absent > caughtUp ? [`${absent - caughtUp} absent`] : []),
    ...(caughtUp ? [`${caughtUp} absent on the day and signed late`] : []),
  ].join(', ')
}

/** Who has neither signed nor is down as absent. */
const isOutstanding = ({ signedAt, absence }: Told): boolean => !signedAt && !showsText(absence ?? '')

interface Closing {
  readonly people: readonly (Told & { readonly name: string })[]
  /** What the record does not say, in words. */
  readonly missing: readonly string[]
}

const NAMED = 5

/** A last look at what will stand: first who keeps the record open, then what it will say. */
export function closingWords({ people, missing }: Closing): string {
  const left = people.filter(isOutstanding).map((p) => p.name)
  const named = left.length > NAMED ? [...left.slice(0, NAMED), `${left.length - NAMED} more`] : left
  return [
    ...(left.length
      ? [
          `${inList(named)} ${left.length === 1 ? 'has' : 'have'} neither signed nor ${left.length === 1 ? 'is' : 'are'} down as absent: that comes first.`,
        ]
      : []),
    `${heardWords(countHeard(people))}.`,
    'A closed record stays as it is. Who was there and has not signed can still sign late, for themselves.',
    ...(missing.length ? [`Not said: ${missing.join(', ')}.`] : []),
  ].join(' ')
}

const inList = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`

/** What was just done, in whose name and by whose hand. */
export const signedWords = (person: string, behalf: string | undefined): string =>
  behalf ? `${behalf} has signed for ${person}.` : `${person} has signed.`
