import { useEffect, useRef } from 'react'
import { idAtEnd } from '#kernel/iri.ts'
import { client } from '#modules/portal/clients/client.ts'
import { useOne } from '#web/api/resources.ts'
import { useValue } from '#web/forms/store/use-value-store.ts'
import type { ValueStore } from '#web/forms/store/value-store.ts'
import { iriOfLink } from '#web/forms/values.ts'

/** Fills in what the chosen client says: where, whom to ask for, and where to write; what was typed stays. */
export function FromClient({ store }: { readonly store: ValueStore }) {
  const chosen = idAtEnd(iriOfLink(useValue(store, ['account'])) ?? '')
  const firm = useOne(client, chosen).data
  const filled = useRef<Readonly<Record<string, string>>>({})
  useEffect(() => {
    if (!firm || firm.id !== chosen) return
    const { address1, address2, city, county, postcode } = firm
    const said = {
      place: [address1, address2, city, county, postcode].filter(Boolean).join(', ').slice(0, 300),
      contactName: firm.contactname ?? '',
      email: firm.contactemail ?? '',
    }
    for (const [name, value] of Object.entries(said)) {
      const now = store.get([name])
      if (!now || now === filled.current[name]) store.set([name], value)
    }
    filled.current = said
  }, [chosen, firm, store])
  return null
}
