import type { Validator } from 'stdnum'
import { problem, violation } from '#kernel/errors.ts'
import { type Instant, londonDate } from '#kernel/time.ts'

/** Result of checking a VAT number's format and check digits. Whether the number is registered is not checked. */
export interface VatNumberCheck {
  /** Normalised number with its prefix, such as `GB 123 4567 82` or `DE136695976`. */
  readonly number: string
  /** Sentence about the fault; empty if there is none. */
  readonly fault: string
  /** False if the country's format is not known. The number is then stored as entered. */
  readonly isChecked: boolean
}

type Rule = Pick<Validator, 'validate'>

/**
 * Rules of stdnum by VAT prefix, each loaded when it is first needed, because loading all of them takes two seconds.
 * United Kingdom and Northern Ireland (XI): modulus 97 and 97−55 (HMRC, VAT Registration Manual, VATREG02600). Others:
 * the European Commission's structure of VAT numbers, Switzerland and Norway.
 */
const RULES: Readonly<Record<string, () => Promise<Rule>>> = {
  GB: () => import('stdnum/lib/cjs/gb/vat.js'),
  XI: () => import('stdnum/lib/cjs/gb/vat.js'),
  AT: () => import('stdnum/lib/cjs/at/uid.js'),
  BE: () => import('stdnum/lib/cjs/be/vat.js'),
  BG: () => import('stdnum/lib/cjs/bg/vat.js'),
  CH: () => import('stdnum/lib/cjs/ch/vat.js'),
  CY: () => import('stdnum/lib/cjs/cy/vat.js'),
  CZ: () => import('stdnum/lib/cjs/cz/dic.js'),
  DE: () => import('stdnum/lib/cjs/de/vat.js'),
  DK: () => import('stdnum/lib/cjs/dk/cvr.js'),
  EE: () => import('stdnum/lib/cjs/ee/kmkr.js'),
  EL: () => import('stdnum/lib/cjs/gr/vat.js'),
  ES: () => import('stdnum/lib/cjs/es/nif.js'),
  FI: () => import('stdnum/lib/cjs/fi/alv.js'),
  FR: () => import('stdnum/lib/cjs/fr/tva.js'),
  HR: () => import('stdnum/lib/cjs/hr/oib.js'),
  HU: () => import('stdnum/lib/cjs/hu/anum.js'),
  IE: () => import('stdnum/lib/cjs/ie/vat.js'),
  IT: () => import('stdnum/lib/cjs/it/iva.js'),
  LT: () => import('stdnum/lib/cjs/lt/pvm.js'),
  LU: () => import('stdnum/lib/cjs/lu/tva.js'),
  LV: () => import('stdnum/lib/cjs/lv/pvn.js'),
  MT: () => import('stdnum/lib/cjs/mt/vat.js'),
  NL: () => import('stdnum/lib/cjs/nl/btw.js'),
  NO: () => import('stdnum/lib/cjs/no/mva.js'),
  PL: () => import('stdnum/lib/cjs/pl/nip.js'),
  PT: () => import('stdnum/lib/cjs/pt/nif.js'),
  RO: () => import('stdnum/lib/cjs/ro/cui.js'),
  SE: () => import('stdnum/lib/cjs/se/vat.js'),
  SI: () => import('stdnum/lib/cjs/si/ddv.js'),
  SK: () => import('stdnum/lib/cjs/sk/dph.js'),
}

/** VAT prefix of a country, by its ISO code, where they differ. The Isle of Man's numbers are UK numbers. */
const PREFIXES: Readonly<Record<string, string>> = { GR: 'EL', IM: 'GB' }

const UK = ['GB', 'XI']

/** Checks a VAT number. A number without a prefix belongs to the given country (ISO code). */
export async function checkVatNumber(given: string, country: string): Promise<VatNumberCheck> {
  const plain = given.trim().replaceAll(/\s+/g, ' ')
  if (!plain) return { number: '', fault: '', isChecked: false }
  const compact = plain.toUpperCase().replaceAll(/[\s./-]/g, '')
  const stated = /^([A-Z]{2})(?=[A-Z]*\d)/.exec(compact)?.[1] ?? ''
  const named = PREFIXES[stated] ?? stated
  const prefix = RULES[named] ? named : (PREFIXES[country] ?? country)
  const load = RULES[prefix]
  if (!load) return { number: plain, fault: '', isChecked: false }
  const number = prefix === named ? compact.slice(2) : compact
  const { validate } = await load()
  // Swiss numbers are complete only with their prefix.
  if (!validate(number).isValid && (UK.includes(prefix) || !validate(prefix + number).isValid))
    return { number: plain, fault: faultOf(prefix, number), isChecked: true }
  return {
    number: UK.includes(prefix) ? `${prefix} ${groupUkDigits(number)}` : prefix + number,
    fault: '',
    isChecked: true,
  }
}

/** Formats a UK number as its certificate does, such as `123 4567 82` or, for a branch, `123 4567 82 001`. */
const groupUkDigits = (number: string) => number.replace(/^(\d{3})(\d{4})(\d{2})(\d*)$/, '$1 $2 $3 $4').trim()

function faultOf(prefix: string, number: string): string {
  if (!UK.includes(prefix))
    return `This is not a valid VAT number with the prefix ${prefix}. Compare it with the VAT certificate`
  return /^(\d{9}|\d{12})$/.test(number)
    ? 'The check digits of this VAT number are wrong. Compare it with the VAT certificate'
    : 'A UK VAT number has nine digits, such as GB 123 4567 82, or twelve for a branch'
}

/**
 * Returns the fields to save for a VAT number: normalised, with the day of the check, or without one if the country's
 * format is not known. Throws 422 if the number has a fault.
 */
export async function vatNumberFields(given: string, country: string, now: Instant) {
  const { number, fault, isChecked } = await checkVatNumber(given, country)
  if (fault) throw problem.invalid([violation('vatNumber', fault)])
  return { vatNumber: number, vatNumberCheckedOn: isChecked ? londonDate(now).toString() : null }
}
