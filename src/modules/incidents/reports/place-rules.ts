import { type Violation, violation } from '#kernel/errors.ts'

/** Format of a postcode of the United Kingdom, the Channel Islands and the Isle of Man. */
const POSTCODE = /^(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|GIR ?0AA)$/i
const REQUIRED_TEXT = 'Field required, please enter text'

interface Place {
  readonly addressLine1: string
  readonly city: string
  readonly county: string
  readonly postcode: string
  readonly noPostcode: boolean
}

const REQUIRED = ['addressLine1', 'city', 'county'] as const

/** Returns true if any part of the address is entered. */
export const hasAddress = (place: Place): boolean =>
  [...REQUIRED, 'postcode' as const].some((name) => place[name].trim() !== '')

/** Returns the missing or invalid parts of an address (safety section 5). A place without a postcode is never refused. */
export function validateAddress(place: Place): Violation[] {
  const blank = REQUIRED.filter((name) => !place[name].trim()).map((name) => violation(name, REQUIRED_TEXT))
  const postcode = place.postcode.trim()
  if (!postcode) return place.noPostcode ? blank : [...blank, violation('postcode', REQUIRED_TEXT)]
  if (place.noPostcode || POSTCODE.test(postcode)) return blank
  return [
    ...blank,
    violation('postcode', 'This isn’t a UK postcode. If the place has none, tick “The place has no postcode”'),
  ]
}

/** Returns the nation whose law applies at a postcode; null if the postcode does not determine it. */
export function nationOfPostcode(postcode: string): 'greatBritain' | 'northernIreland' | 'elsewhere' | null {
  if (!POSTCODE.test(postcode.trim())) return null
  if (/^bt/i.test(postcode.trim())) return 'northernIreland'
  return /^(im|gy|je)\d/i.test(postcode.trim()) ? 'elsewhere' : 'greatBritain'
}
