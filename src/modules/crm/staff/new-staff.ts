/** URL for creating a member of staff in one request. */
export const NEW_STAFF_URL = '/api/crm/staff/new'
