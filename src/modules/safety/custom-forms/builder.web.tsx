import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { recordAt } from '#web/forms/schema/record.ts'
import { Page } from '#web/ui/page.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import { isTemplate } from '../statements/selection.ts'
import { Build } from './build.web.tsx'
import { customForm } from './custom-form.ts'
import { EMPTY_STEPS } from './form-rules.ts'
import { CUSTOM_FORMS, formPath } from './paths.ts'

/** Where a form is made: a new one, or one that there is, as it stands. */
export default function Builder() {
  const { slug } = useParams()
  const actor = useActor()
  const iri = slug === undefined ? undefined : iriOf(customForm, slug)
  // Read once: from then on what is typed counts.
  const opened = useQuery({
    queryKey: ['building', slug],
    queryFn: () => recordAt(iri ?? '').load(),
    enabled: iri !== undefined,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  })
  if (iri === undefined)
    return (
      <Build
        begun={{ title: '', notes: '', audience: [], schema: { title: '', steps: EMPTY_STEPS } }}
        back={{ label: 'Custom forms', to: CUSTOM_FORMS }}
      />
    )
  const back = { label: 'Form', to: formPath(slug ?? '') }
  if (!opened.data)
    return (
      <Page title="Change a form" back={back}>
        {opened.isError ? (
          <ErrorState error={opened.error} onRetry={() => void opened.refetch()} />
        ) : (
          <Skeleton h={320} />
        )}
      </Page>
    )
  const record = opened.data.record as RecordOf<typeof customForm>
  // A ready-made form isn't a company's to change: its own screen shows it, and offers the copy.
  if (isTemplate(record) && actor.clientId !== 0) return <Navigate to={formPath(record.id)} replace />
  const { title, notes, audience } = record
  return (
    <Build
      key={iri}
      record={record}
      etag={opened.data.etag}
      begun={{ title, notes, audience, schema: record.schema as FormSchema }}
      back={back}
    />
  )
}
