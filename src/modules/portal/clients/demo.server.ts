import type { ValuesOf } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { client } from './client.ts'

type Company = ValuesOf<typeof client>

/** Demo companies. Their order determines their IDs, which start at 1. */
const COMPANIES: readonly Company[] = [
  {
    company: 'Brick & Beam Construction Ltd',
    city: 'Sheffield',
    county: 'South Yorkshire',
    contactname: 'Priya Shah',
    contacttel: '01632 960101',
    contactemail: 'office@brick-beam-construction.example',
  },
  {
    company: 'Willow Court Care Homes Ltd',
    city: 'Bath',
    county: 'Somerset',
    contactname: 'Joanna Hughes',
    contacttel: '01632 960102',
    contactemail: 'office@willow-court-care-homes.example',
  },
  {
    company: 'Saltmarsh Foods Ltd',
    city: 'Ipswich',
    county: 'Suffolk',
    contactname: 'Tomasz Nowak',
    contacttel: '01632 960103',
    contactemail: 'office@saltmarsh-foods.example',
  },
  {
    company: 'Northern Safety Partners',
    city: 'Newcastle upon Tyne',
    county: 'Tyne and Wear',
    contactname: 'Grace Walker',
    contacttel: '01632 960401',
    contactemail: 'office@northern-safety-partners.example',
    isReseller: true,
  },
  {
    company: 'Westmoor Compliance',
    city: 'Exeter',
    county: 'Devon',
    contactname: 'Rhys Vaughan',
    contacttel: '01632 960402',
    contactemail: 'office@westmoor-compliance.example',
    isReseller: true,
  },
]

const PROVIDERS_OWN: Company = {
  company: 'Stanchion Compliance',
  address1: '14 Wharf Street',
  city: 'Leeds',
  county: 'West Yorkshire',
  postcode: 'LS1 1AA',
  regcompno: '00000000',
  vatNumber: 'GB 000 0000 00',
  contacttel: '01632 960960',
  contactemail: 'hello@stanchion.example',
}

/** Pairs of client ID and reseller ID. */
const RESOLD: readonly (readonly [client: number, reseller: number])[] = [
  [2, 4],
  [3, 4],
]

/** Seeds the provider, its clients and its resellers. */
const clientsPart: DemoDataPart = {
  name: 'clients',
  tell: async (engine) => {
    await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID }, async (c) => {
      await c.change(client, PROVIDER_CLIENT_ID, PROVIDERS_OWN)
      for (const company of COMPANIES) await (await c.create(client, company)).saved()
    })
    for (const [clientId, reseller] of RESOLD)
      await seedAsUser(engine, { clientId }, (c) =>
        c.withoutPermissionCheck('assign clients to resellers').change(client, clientId, { reseller }),
      )
  },
}

export const seeds = [clientsPart]
