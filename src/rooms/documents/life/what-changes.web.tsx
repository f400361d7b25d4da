import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { LoadingRows } from '#web/ui/states.tsx'
import { Changes } from '../comparison/changes.web.tsx'
import { differences } from '../comparison/differences.ts'
import type { KindParts } from '../kinds/kind.web.ts'
import { type DocumentRecord, useRecord } from '../kinds/record.web.ts'
import css from './what-changes.module.css'

interface Props {
  readonly parts: KindParts
  readonly before: DocumentRecord
  readonly after: DocumentRecord
}

/** What a revision changes of the one in force before it, to be looked at by whoever decides what kind of change it is. */
export default function WhatChanges({ parts, before, after }: Props) {
  const { kind, compare } = parts
  const old = useRecord(kind, String(before.id)).record
  const now = useRecord(kind, String(after.id)).record
  const found = useMemo(() => old && now && differences(kind, old, now, compare), [kind, compare, old, now])
  if (!found) return <LoadingRows rows={2} />
  if (!found.length) return <Text mb="md">{`It says the same as revision ${before.revision}.`}</Text>
  return (
    <details className={css.changes}>
      <summary>{`What it changes of revision ${before.revision} (${found.length})`}</summary>
      <Changes sides={[`Revision ${before.revision}`, `Revision ${after.revision}`]} found={found} />
    </details>
  )
}
