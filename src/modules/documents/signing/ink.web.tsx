import { Button } from '@mantine/core'
import { useState } from 'react'
import { canSeeField } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { useOne } from '#web/api/resources.ts'
import { Drawn } from '#web/ui/drawn.tsx'
import { signature } from '../types/document.ts'

type Signature = RecordOf<typeof signature>

/** How a signature looks. A drawing comes by itself, to those who may see it, and only when they ask. */
export function Ink({ of }: { readonly of: Signature }) {
  const actor = useActor()
  const [asked, setAsked] = useState(false)
  const read = useOne(signature, asked ? of.id : undefined)
  // One that is shown while it is on its way has its drawing with it.
  const data = of.strokes ? of : read.data
  const name = of.method === 'on behalf' ? of.byName || of.name : of.name
  if (of.method === 'typed' || (data && !data.strokes)) return <Drawn strokes={undefined} name={name} />
  if (data) return <Drawn strokes={data.strokes} name={name} />
  if (!canSeeField(actor, signature.fields.strokes, of)) return null
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      loading={asked && read.isPending}
      aria-label={`Show the signature of ${of.name}`}
      onClick={() => setAsked(true)}
    >
      Show
    </Button>
  )
}
