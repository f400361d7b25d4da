import { Button, List, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { type Pack, packState } from '#kernel/packs.ts'
import { callApi } from '#web/api/client.ts'
import { useActor, useMe } from '#web/api/me.ts'
import layout from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { toast } from '#web/ui/toast.ts'
import { supportTicket } from '../support/ticket.ts'

interface Props {
  readonly pack: Pack
  /** Name of the pack, as customers know it. */
  readonly name: string
  readonly about: string
  /** What the pack does, one line each. */
  readonly points: readonly string[]
  /** Sample, drawn from invented data. */
  readonly sample: ReactNode
  /** First screen of the pack, for clients who have it. */
  readonly home: string
}

/** Page that describes a pack to a client without it, with a sample, and asks the provider for it. */
export function PackAdvert({ pack, name, about, points, sample, home }: Props) {
  const actor = useActor()
  const { email } = useMe()
  const ask = useMutation({
    mutationFn: () =>
      callApi('POST', supportTicket.url, {
        subject: `Ask for the product ${name}`,
        message: `Please open the product ${name} for our company.`,
        email,
        page: location.pathname,
      }),
    onError: (e) => toast.failed(e),
  })
  if (packState(actor, pack) !== 'none') return <Navigate replace to={home} />
  return (
    <Page title={name} about={about}>
      <section className={layout.card} aria-label="Included">
        <Title order={2}>Included</Title>
        <List>
          {points.map((point) => (
            <List.Item key={point}>{point}</List.Item>
          ))}
        </List>
        {ask.isSuccess ? (
          <Text role="status">Your request was sent. We will reply by e-mail.</Text>
        ) : (
          <Button loading={ask.isPending} onClick={() => ask.mutate()}>
            Ask for it
          </Button>
        )}
      </section>
      <section className={layout.card} aria-label="Sample">
        <Title order={2}>Sample with invented people</Title>
        {sample}
      </section>
    </Page>
  )
}
