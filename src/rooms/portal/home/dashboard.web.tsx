import { Stack, Text } from '@mantine/core'
import { holds, PROVIDER } from '#kernel/roles.ts'
import { useActor, useMe } from '#web/api/me.ts'
import { PageTitle } from '#web/shell/pages/page-title.tsx'
import { OurPeople, WhoCameIn } from './admin-part.web.tsx'
import { Calling } from './calling-part.web.tsx'
import type { KindScreens } from './document-work.web.ts'
import { DocumentParts } from './documents-part.web.tsx'
import { DueNext } from './due-part.web.tsx'
import { Shortcuts } from './member-part.web.tsx'
import { QuoteParts } from './quotes-part.web.tsx'
import { OurClients } from './reseller-part.web.tsx'

/** What there is to do, for whoever looks. */
export default function Dashboard({ kinds }: { readonly kinds: readonly KindScreens[] }) {
  const me = useMe()
  const actor = useActor()
  const staff = holds(actor, 'ROLE_STAFF')
  const admin = !staff && holds(actor, 'ROLE_CLIENT_ADMIN')
  const reseller = !staff && holds(actor, 'ROLE_RESELLER')
  return (
    <Stack gap="lg" maw={1280}>
      <div>
        <PageTitle>{me.isImpersonating ? me.client.company : `Hello, ${me.name.split(' ')[0]}`}</PageTitle>
        {actor.clientId !== PROVIDER && !me.isImpersonating && <Text c="dimmed">{me.client.company}</Text>}
      </div>
      {staff && <Calling />}
      {staff && <DueNext />}
      {staff && <QuoteParts />}
      <DocumentParts kinds={kinds} />
      {reseller && <OurClients />}
      {admin && <OurPeople />}
      {admin && <WhoCameIn />}
      {!staff && !admin && !reseller && <Shortcuts />}
    </Stack>
  )
}
