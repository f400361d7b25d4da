/** What every `DataList` asks before its rows: how its reader has lists, and their saved views (`views/use-views.ts`). */
export const LIST_ADDRESSES = ['/api/portal/list_settings?pagination=false', '/api/portal/saved_views?pagination=false']
