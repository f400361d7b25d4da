import type { RowOf } from '#kernel/resource.ts'
import { type Actor, authorOf } from '#kernel/roles.ts'
import { PORTAL_NAME_PLACEHOLDER } from '#kernel/system-email.ts'
import type { MergeValues } from '#kernel/text/merge-fields.ts'
import { formatUkDate } from '#kernel/time.ts'
import type { client } from '#modules/portal/clients/client.ts'
import { formatClientAddress } from '#modules/portal/letterhead/letterhead.server.ts'
import type { Context } from '#server/engine/types.ts'
import type { contact } from '../contacts/contact.ts'
import { businessType } from '../contacts/import-batch.ts'
import { staff } from '../staff/staff.ts'
import { getSalutationName } from './merge.ts'

/** Returns the merge values that describe the sender, with today's date and the portal's name. */
export async function senderMailMergeValues(c: Pick<Context, 'find' | 'now'>, by: Actor): Promise<MergeValues> {
  const { username, name } = authorOf(by)
  const [own] = await c.find(staff, { username })
  return {
    today: formatUkDate(c.now),
    sender: own?.name || name,
    'sender phone': own?.telephone ?? '',
    portal: PORTAL_NAME_PLACEHOLDER,
  }
}

export async function leadMailMergeValues(c: Pick<Context, 'get'>, lead: RowOf<typeof contact>): Promise<MergeValues> {
  const type = lead.businessType === null ? undefined : await c.get(businessType, lead.businessType)
  const owner = lead.owner === null ? undefined : await c.get(staff, lead.owner)
  return {
    'first name': getSalutationName(lead.name ?? ''),
    'contact name': lead.name ?? '',
    company: lead.companyName ?? '',
    'company number': lead.companyNumber ?? '',
    phone: lead.phone ?? '',
    mobile: lead.mobile ?? '',
    email: lead.email ?? '',
    address: postalAddressLines(lead).join(', '),
    city: lead.city ?? '',
    postcode: lead.postcode ?? '',
    'business type': type?.name ?? '',
    owner: owner?.name ?? '',
  }
}

export const clientMailMergeValues = (of: RowOf<typeof client>): MergeValues => ({
  'first name': getSalutationName(of.contactname ?? ''),
  'contact name': of.contactname ?? '',
  company: of.company,
  'company number': of.regcompno ?? '',
  'client number': String(of.id),
  phone: of.contacttel ?? '',
  email: of.contactemail ?? '',
  address: formatClientAddress(of),
  city: of.city ?? '',
  postcode: of.postcode ?? '',
})

/** Returns the lines of a postal address, as printed for a window envelope. */
export const postalAddressLines = (
  l: Pick<RowOf<typeof contact>, 'address1' | 'address2' | 'city' | 'county' | 'postcode'>,
): string[] => [l.address1, l.address2, l.city, l.county, l.postcode].flatMap((line) => line?.trim() || [])
