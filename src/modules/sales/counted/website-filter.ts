import { z } from 'zod'

/** List filter for sales from website leads. */
export const websiteFilterSchema = z.enum(['', 'yes']).default('')
export const WEBSITE_FILTER = {
  key: 'web',
  label: 'From the website',
  options: [{ value: 'yes', label: 'Yes', asks: { web: '', 'cameFrom.web': 'true' } }],
}
