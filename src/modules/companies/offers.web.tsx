/** The look-up in the register of companies, which fills a form: for the screens of other areas. */
export { CompanyLookup } from './company-lookup.web.tsx'
