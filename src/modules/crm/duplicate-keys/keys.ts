/**
 * Returns a company number in the register's format: eight digits, or two letters and six digits. Anything else is
 * returned as typed, but in capitals and without spaces and punctuation. A number that consists only of zeros becomes
 * an empty string. The result must match that of `company_number_key()` in the database. Source: Companies House,
 * "Company numbers".
 */
export function companyNumberKey(typed: string | null | undefined): string {
  const s = (typed ?? '').replace(/[^0-9A-Za-z]+/g, '').toUpperCase()
  if (/^0*$/.test(s)) return ''
  if (/^[0-9]{1,8}$/.test(s)) return s.padStart(8, '0')
  if (/^[A-Z]{2}[0-9]{1,6}$/.test(s)) return s.slice(0, 2) + s.slice(2).padStart(6, '0')
  return s
}

/**
 * Returns a company number as it is stored: in the register's format if it can be converted to that format, otherwise
 * as typed.
 */
export const normaliseCompanyNumber = (typed: string): string => {
  const key = companyNumberKey(typed)
  return /^(?:[0-9]{8}|[A-Z]{2}[0-9]{6})$/.test(key) ? key : typed
}

/** Number of characters of a name that are compared: the maximum length of a lead's company name. */
const MAX_NAME_CHARACTERS = 255

const firstCharacters = (text: string): string =>
  Array.from(text.slice(0, 2 * MAX_NAME_CHARACTERS))
    .slice(0, MAX_NAME_CHARACTERS)
    .join('')

const FORMS = / (?:public limited company|limited liability partnership|community interest company) /g

/**
 * Returns the key by which company names are compared: in lower case without accents, with "&" as "and", with "Bros"
 * and "Son" written out, and without the legal form. The key is empty if nothing remains. It must match that of
 * `company_name_key()` in the database.
 */
export function companyNameKey(typed: string | null | undefined): string {
  const plain = firstCharacters(typed ?? '')
    .normalize('NFKD')
    .replace(/[A-Z]/g, (c) => c.toLowerCase())
    .replace(/[\u0300-\u036f'`.\u2018\u2019]/gu, '')
    .replace(/[&+]/g, ' and ')
    .replace(/[^a-z0-9\u00c0-\u1fff\u2c00-\uffff]+/gu, ' ')
  return ` ${plain} `
    .replace(/^ +the /, ' ')
    .replace(FORMS, ' ')
    .replace(/ son /g, ' sons ')
    .replace(/ bros /g, ' brothers ')
    .replace(/ company /g, ' co ')
    .replace(/(?: (?:ltd|limited|plc|llp|lp|cic|cio|inc))+ *$/, '')
    .replace(/^ +| +$/g, '')
}
