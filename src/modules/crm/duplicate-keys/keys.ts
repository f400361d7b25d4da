/**
 * A company number as the register writes it: eight places, or two letters and six. What is neither stays as typed, without its spaces.
 * Empty for zeros. `company_number_key()` in the database; Companies House, "Company numbers".
 */
export function companyNumberKey(typed: string | null | undefined): string {
  const s = (typed ?? '').replace(/[^0-9A-Za-z]/g, '').toUpperCase()
  if (/^0*$/.test(s)) return ''
  if (/^[0-9]{1,8}$/.test(s)) return s.padStart(8, '0')
  if (/^[A-Z]{2}[0-9]{1,6}$/.test(s)) return s.slice(0, 2) + s.slice(2).padStart(6, '0')
  return s
}

/** A company number as it is kept: padded where somebody has left the zeros out, and else as typed. */
export const asRegistered = (typed: string): string => {
  const key = companyNumberKey(typed)
  return /^(?:[0-9]{8}|[A-Z]{2}[0-9]{6})$/.test(key) ? key : typed
}

const FORMS = / (?:public limited company|limited liability partnership|community interest company) /g

/**
 * By what a company's name is known: lower case without accents, "&" as "and", "Bros" and "Son" written out, and without its legal form.
 * Empty where nothing is left. `company_name_key()` in the database.
 */
export function companyNameKey(typed: string | null | undefined): string {
  const plain = (typed ?? '')
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
