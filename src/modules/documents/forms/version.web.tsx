import { Button } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { can } from '#kernel/can.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { useActor } from '#web/api/me.ts'
import { usePersonNames } from '#web/api/names.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { FormOutline } from '#web/forms/builder/form-builder.tsx'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { formVersion } from '../types/document-fields.ts'
import type { DocumentScreenProps } from '../types/kind.web.ts'
import { formPaths } from './labels.ts'

/** Read-only page of a form version with its questions. */
export default function FormVersionPage({ parts: { kind } }: DocumentScreenProps) {
  const actor = useActor()
  const paths = formPaths(kind)
  const { slug } = useParams()
  const { data: version, error, refetch } = useApiRecord(formVersion, slug)
  const nameOf = usePersonNames([version?.author])
  const back = { label: `Form for ${kind.nav.title.toLowerCase()}`, to: paths.list }
  if (!version)
    return (
      <Page title="Form version" back={back}>
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={8} />}
      </Page>
    )
  return (
    <Page
      title={version.notes || `Version ${version.number}`}
      back={back}
      about={`Version ${version.number}, added by ${nameOf(version.author)} on ${formatIsoAsUkDateTime(version.createdAt)}${version.industry ? ` for ${version.industry.name}` : ''}. It can’t be changed.`}
      actions={
        can(actor, 'create', formVersion) && (
          <Button component={Link} variant="default" to={`${paths.change}?from=${version.id}`}>
            Create next version from this one
          </Button>
        )
      }
    >
      <FormOutline form={version.schema as FormSchema} />
    </Page>
  )
}
