import { Stack, Text } from '@mantine/core'
import { Fragment } from 'react'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { useActor, useMe } from '#web/api/me.ts'
import { DashboardSections } from '#web/dashboard/sections.tsx'
import type { DashboardPart, GettingStartedStep } from '#web/shell/manifest/dashboard.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { FirstSteps } from './first-steps.web.tsx'

interface Props {
  readonly parts: readonly DashboardPart[]
  readonly steps: readonly GettingStartedStep[]
}

/** Dashboard with the sections that the modules provide for this user. */
export function Dashboard({ parts, steps }: Props) {
  const me = useMe()
  const actor = useActor()
  const mine = parts.filter(({ isFor }) => isFor(actor)).toSorted((a, b) => a.order - b.order)
  return (
    <Stack gap="lg" maw={1280}>
      <div>
        <PageTitle>{me.isImpersonating ? me.client.company : `Hello, ${me.name.split(' ')[0]}`}</PageTitle>
        {actor.clientId !== PROVIDER_CLIENT_ID && !me.isImpersonating && <Text c="dimmed">{me.client.company}</Text>}
      </div>
      <DashboardSections>
        {!me.isImpersonating && <FirstSteps steps={steps} />}
        {mine.map((part) => (
          <Fragment key={part.order}>{part.draw()}</Fragment>
        ))}
      </DashboardSections>
    </Stack>
  )
}
