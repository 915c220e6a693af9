/** What the API answers and tells. Made by scripts/build_web_types.py, not by hand. */
declare namespace Api {
  /** Answers by methods and paths. */
  interface Answers {
    DELETE: {
      "realm/icon": IconAnswer;
      "users/me/alert_words": WordsAnswer;
      "users/me/avatar": AvatarAnswer;
      "users/me/subscriptions": UnsubscribeAnswer;
    };
    GET: {
      "attachments": AttachmentsAnswer;
      "audit": AuditAnswer;
      "bot_storage": StorageAnswer;
      "bots": BotsAnswer;
      "calls/bigbluebutton/create": CallAnswer;
      "channel_folders": FoldersAnswer;
      "dev_list_users": DevelopmentUsersAnswer;
      "drafts": DraftsAnswer;
      "events": PollAnswer;
      "export/realm": ExportsAnswer;
      "export/realm/consents": ConsentsAnswer;
      "get_stream_id": ChannelIdAnswer;
      "invites": InvitationsAnswer;
      "legal_holds": HoldsAnswer;
      "messages": FetchAnswer;
      "messages/matches_narrow": MatchesAnswer;
      "navigation_views": ViewsAnswer;
      "realm/domains": DomainsAnswer;
      "realm/emoji": CustomEmojiAnswer;
      "realm/linkifiers": LinkifiersAnswer;
      "realm/presence": AllAnswer;
      "realm/profile_fields": ProfileFieldsAnswer;
      "reminders": RemindersAnswer;
      "saved_snippets": SnippetsAnswer;
      "scheduled_messages": ScheduledMessagesAnswer;
      "streams": ChannelsAnswer;
      "user_groups": GroupsAnswer;
      "users": UsersAnswer;
      "users/me": OwnUserShape;
      "users/me/alert_words": WordsAnswer;
      "users/me/do_not_disturb": DoNotDisturbAnswer;
      "users/me/exports": DataExportsAnswer;
      "users/me/sessions": SessionsAnswer;
      "users/me/subscriptions": SubscriptionsAnswer;
      "web_push": WebPushAnswer;
      [path: `messages/${number}/history`]: HistoryAnswer;
      [path: `messages/${number}/read_receipts`]: ReceiptsAnswer;
      [path: `messages/${number}`]: MessageAnswer;
      [path: `streams/${number}/email_address`]: EmailAddressAnswer;
      [path: `streams/${number}/members`]: SubscribersAnswer;
      [path: `streams/${number}`]: ChannelAnswer;
      [path: `user_groups/${number}/members/${number}`]: MemberAnswer;
      [path: `user_groups/${number}/members`]: GroupMembersAnswer;
      [path: `user_groups/${number}/subgroups`]: SubgroupsAnswer;
      [path: `users/${number}/status`]: UserStatusAnswer;
      [path: `users/${number}/subscriptions/${number}`]: IsSubscribedAnswer;
      [path: `users/${number}`]: UserAnswer;
      [path: `users/me/${number}/topics`]: TopicsAnswer;
    };
    PATCH: {
      "users/me/subscriptions": UpdateSubscriptionsAnswer;
      [path: `bots/${number}`]: UpdateAnswer;
      [path: `messages/${number}`]: EditMessageAnswer;
    };
    POST: {
      "accounts/dev_login": WhoAnswer;
      "accounts/login": WhoAnswer;
      "accounts/logout": LoggedOut;
      "bots": BotAnswer;
      "calls/zoom/create": CallAnswer;
      "channel_folders/create": NewFolderAnswer;
      "channels/create": NewChannelAnswer;
      "default_stream_groups/create": NewDefaultGroupAnswer;
      "dev_fetch_api_key": LoginAnswer;
      "drafts": NewDraftsAnswer;
      "export/realm": NewExportAnswer;
      "fetch_api_key": LoginAnswer;
      "invites/multiuse": LinkAnswer;
      "jwt/fetch_api_key": TokenLoginAnswer;
      "legal_holds": NewHoldAnswer;
      "mark_all_as_read": MarkAllAnswer;
      "messages": SendAnswer;
      "messages/flags": FlagsAnswer;
      "messages/flags/narrow": FlagsInNarrowAnswer;
      "messages/render": RenderAnswer;
      "realm/filters": NewIdAnswer;
      "realm/icon": IconAnswer;
      "realm/playgrounds": NewIdAnswer;
      "realm/profile_fields": NewIdAnswer;
      "realm/test_welcome_bot_custom_message": WelcomeAnswer;
      "reminders": NewReminderAnswer;
      "saved_snippets": NewSnippetAnswer;
      "scheduled_messages": NewScheduledMessageAnswer;
      "user_groups/create": NewGroupAnswer;
      "user_uploads": UploadAnswer;
      "users": NewUserAnswer;
      "users/me/alert_words": WordsAnswer;
      "users/me/api_key/regenerate": KeyAnswer;
      "users/me/avatar": AvatarAnswer;
      "users/me/exports": NewExportAnswer;
      "users/me/presence": PresenceAnswer;
      "users/me/subscriptions": SubscribeAnswer;
      "web_push/subscriptions": PushSubscriptionAnswer;
      [path: `bots/${number}/api_key/regenerate`]: KeyAnswer;
      [path: `streams/${number}/delete_topic`]: DeleteTopicAnswer;
      [path: `streams/${number}/email_address/replace`]: EmailAddressAnswer;
      [path: `users/${number}/exports`]: NewExportAnswer;
    };
  }

  /** Events by types, and by types and operations. */
  interface Events {
    "alert_words": AlertWordsEvent;
    "attachment": AttachmentEvent | AttachmentRemoveEvent;
    "attachment add": AttachmentEvent;
    "attachment remove": AttachmentRemoveEvent;
    "attachment update": AttachmentEvent;
    "channel_folder": FolderAddEvent | FolderUpdateEvent | FolderReorderEvent;
    "channel_folder add": FolderAddEvent;
    "channel_folder reorder": FolderReorderEvent;
    "channel_folder update": FolderUpdateEvent;
    "custom_profile_fields": ProfileFieldsEvent;
    "default_stream_groups": DefaultChannelGroupsEvent;
    "default_streams": DefaultChannelsEvent;
    "delete_message": DeleteMessageEvent;
    "drafts": DraftsAddEvent | DraftUpdateEvent | DraftRemoveEvent;
    "drafts add": DraftsAddEvent;
    "drafts remove": DraftRemoveEvent;
    "drafts update": DraftUpdateEvent;
    "heartbeat": HeartbeatEvent;
    "invites_changed": InvitationsEvent;
    "message": MessageEvent;
    "muted_topics": MutedTopicsEvent;
    "muted_users": MutedUsersEvent;
    "navigation_view": NavigationViewAddEvent | NavigationViewUpdateEvent | NavigationViewRemoveEvent;
    "navigation_view add": NavigationViewAddEvent;
    "navigation_view remove": NavigationViewRemoveEvent;
    "navigation_view update": NavigationViewUpdateEvent;
    "onboarding_steps": OnboardingStepsEvent;
    "presence": PresenceEvent;
    "reaction": ReactionEvent;
    "reaction add": ReactionEvent;
    "reaction remove": ReactionEvent;
    "realm": OrganizationUpdateEvent | OrganizationSettingsEvent | OrganizationDeactivatedEvent;
    "realm deactivated": OrganizationDeactivatedEvent;
    "realm update": OrganizationUpdateEvent;
    "realm update_dict": OrganizationSettingsEvent;
    "realm_bot": BotAddEvent | BotUpdateEvent | BotDeleteEvent;
    "realm_bot add": BotAddEvent;
    "realm_bot delete": BotDeleteEvent;
    "realm_bot update": BotUpdateEvent;
    "realm_domains": DomainEvent | DomainRemoveEvent;
    "realm_domains add": DomainEvent;
    "realm_domains change": DomainEvent;
    "realm_domains remove": DomainRemoveEvent;
    "realm_emoji": EmojiEvent;
    "realm_emoji update": EmojiEvent;
    "realm_export": ExportsEvent;
    "realm_export_consent": ExportConsentEvent;
    "realm_linkifiers": LinkifiersEvent;
    "realm_playgrounds": PlaygroundsEvent;
    "realm_user": UserAddEvent | UserUpdateEvent | UserRemoveEvent;
    "realm_user add": UserAddEvent;
    "realm_user remove": UserRemoveEvent;
    "realm_user update": UserUpdateEvent;
    "realm_user_settings_defaults": UserDefaultEvent;
    "realm_user_settings_defaults update": UserDefaultEvent;
    "reminders": RemindersAddEvent | ReminderRemoveEvent;
    "reminders add": RemindersAddEvent;
    "reminders remove": ReminderRemoveEvent;
    "restart": RestartEvent;
    "saved_snippets": SnippetEvent | SnippetRemoveEvent;
    "saved_snippets add": SnippetEvent;
    "saved_snippets remove": SnippetRemoveEvent;
    "saved_snippets update": SnippetEvent;
    "scheduled_messages": ScheduledAddEvent | ScheduledUpdateEvent | ScheduledRemoveEvent;
    "scheduled_messages add": ScheduledAddEvent;
    "scheduled_messages remove": ScheduledRemoveEvent;
    "scheduled_messages update": ScheduledUpdateEvent;
    "stream": ChannelCreateEvent | ChannelUpdateEvent | ChannelDeleteEvent;
    "stream create": ChannelCreateEvent;
    "stream delete": ChannelDeleteEvent;
    "stream update": ChannelUpdateEvent;
    "submessage": SubmessageEvent;
    "subscription": SubscribeEvent | UnsubscribeEvent | SubscriptionUpdateEvent | PeersEvent;
    "subscription add": SubscribeEvent;
    "subscription peer_add": PeersEvent;
    "subscription peer_remove": PeersEvent;
    "subscription remove": UnsubscribeEvent;
    "subscription update": SubscriptionUpdateEvent;
    "typing": TypingEvent;
    "typing start": TypingEvent;
    "typing stop": TypingEvent;
    "typing_edit_message": TypingEditEvent;
    "typing_edit_message start": TypingEditEvent;
    "typing_edit_message stop": TypingEditEvent;
    "update_display_settings": DisplaySettingEvent;
    "update_global_notifications": NotificationSettingEvent;
    "update_message": UpdateMessageEvent;
    "update_message_flags": FlagsEvent;
    "update_message_flags add": FlagsEvent;
    "update_message_flags remove": FlagsEvent;
    "user_group": GroupAddEvent | GroupUpdateEvent | GroupRemoveEvent | GroupMembersEvent | SubgroupsEvent;
    "user_group add": GroupAddEvent;
    "user_group add_members": GroupMembersEvent;
    "user_group add_subgroups": SubgroupsEvent;
    "user_group remove": GroupRemoveEvent;
    "user_group remove_members": GroupMembersEvent;
    "user_group remove_subgroups": SubgroupsEvent;
    "user_group update": GroupUpdateEvent;
    "user_settings": SettingEvent;
    "user_settings update": SettingEvent;
    "user_status": StatusEvent;
    "user_topic": TopicPolicyEvent;
    "web_reload_client": WebReloadEvent;
  }

  type AlertWordsEvent = {
    alert_words: string[];
    id: number;
    type: "alert_words";
  };

  type AllAnswer = {
    presences: Record<string, any>;
    server_timestamp: number;
  };

  /** A file was uploaded, or messages that link to it have changed. */
  type AttachmentEvent = {
    attachment: AttachmentObject;
    id: number;
    op: "add" | "update";
    type: "attachment";
    upload_space_used: number;
  };

  type AttachmentIdObject = {
    id: number;
  };

  /** An uploaded file; times are in milliseconds. */
  type AttachmentObject = {
    create_time: number;
    id: number;
    messages: LinkingObject[];
    name: string;
    path_id: string;
    size: number;
  };

  type AttachmentRemoveEvent = {
    attachment: AttachmentIdObject;
    id: number;
    op: "remove";
    type: "attachment";
    upload_space_used: number;
  };

  type AttachmentsAnswer = {
    attachments: AttachmentObject[];
    upload_space_used: number;
  };

  type AuditAnswer = {
    entries: AuditEntryObject[];
  };

  type AuditEntryObject = {
    actor_id: number | null;
    address: string;
    after: Record<string, any>;
    before: Record<string, any>;
    client: string;
    id: number;
    kind: string;
    origin: string;
    target_id: number | null;
    target_type: string;
    timestamp: number;
  };

  type AvatarAnswer = {
    avatar_url: string;
  };

  type BotAddEvent = {
    bot: BotObject;
    id: number;
    op: "add";
    type: "realm_bot";
  };

  type BotAnswer = {
    user_id: number;
    api_key: string;
    avatar_url: string | null;
    default_sending_stream: string | null;
    default_events_register_stream: string | null;
    default_all_public_streams: boolean;
  };

  /** A bot is no longer visible to the reader. */
  type BotDeleteEvent = {
    bot: BotIdObject;
    id: number;
    op: "delete";
    type: "realm_bot";
  };

  type BotIdObject = {
    user_id: number;
  };

  /** A bot, for the users who manage it; only its owner receives the key. */
  type BotObject = {
    api_key: string;
    avatar_url: string | null;
    bot_type: number | null;
    default_all_public_streams: boolean;
    default_events_register_stream: string | null;
    default_sending_stream: string | null;
    email: string;
    full_name: string;
    is_active: boolean;
    owner_id: number | null;
    services: ServiceObject[];
    user_id: number;
  };

  type BotUpdateEvent = {
    bot: ChangedBotObject;
    id: number;
    op: "update";
    type: "realm_bot";
  };

  type BotsAnswer = {
    bots: OwnBotObject[];
  };

  type CallAnswer = {
    url: string;
  };

  /** A bot with its changed properties. */
  type ChangedBotObject = {
    api_key?: string;
    avatar_url?: string | null;
    default_all_public_streams?: boolean;
    default_events_register_stream?: string | null;
    default_sending_stream?: string | null;
    full_name?: string;
    is_active?: boolean;
    owner_id?: number | null;
    services?: ServiceObject[];
    user_id: number;
  };

  /** A user with the changed properties. */
  type ChangedUserObject = {
    avatar_source?: string;
    avatar_url?: string | null;
    avatar_url_medium?: string | null;
    avatar_version?: number;
    bot_owner_id?: number | null;
    custom_profile_field?: FieldValueObject;
    delivery_email?: string | null;
    email?: string;
    full_name?: string;
    is_active?: boolean;
    new_email?: string;
    role?: number;
    timezone?: string;
    user_id: number;
  };

  type ChannelAnswer = {
    stream: ChannelShape;
  };

  /** Channels that are visible to the reader from now on. */
  type ChannelCreateEvent = {
    id: number;
    op: "create";
    streams: ChannelObject[];
    type: "stream";
  };

  /** Channels that are no longer visible to the reader. */
  type ChannelDeleteEvent = {
    id: number;
    op: "delete";
    stream_ids: number[];
    streams: ChannelIdObject[];
    type: "stream";
  };

  type ChannelIdAnswer = {
    stream_id: number;
  };

  type ChannelIdObject = {
    stream_id: number;
  };

  type ChannelNameObject = {
    name: string;
    stream_id: number;
  };

  /** A channel, the same for all users who may see it. */
  type ChannelObject = {
    can_add_subscribers_group: number | Record<string, number[]>;
    can_administer_channel_group: number | Record<string, number[]>;
    can_delete_any_message_group: number | Record<string, number[]>;
    can_delete_own_message_group: number | Record<string, number[]>;
    can_move_messages_out_of_channel_group: number | Record<string, number[]>;
    can_move_messages_within_channel_group: number | Record<string, number[]>;
    can_remove_subscribers_group: number | Record<string, number[]>;
    can_resolve_topics_group: number | Record<string, number[]>;
    can_send_message_group: number | Record<string, number[]>;
    can_subscribe_group: number | Record<string, number[]>;
    creator_id: number | null;
    date_created: number;
    description: string;
    first_message_id: number | null;
    folder_id: number | null;
    history_public_to_subscribers: boolean;
    invite_only: boolean;
    is_announcement_only: boolean;
    is_archived: boolean;
    is_default?: boolean;
    is_recently_active: boolean;
    is_web_public: boolean;
    message_retention_days: number | null;
    name: string;
    partial_subscribers?: number[];
    rendered_description: string;
    stream_id: number;
    stream_post_policy: number;
    stream_weekly_traffic: number | null;
    subscriber_count: number;
    subscribers?: number[];
    topics_policy: string;
  };

  /** A channel, the same for all users who may see it. */
  type ChannelShape = {
    stream_id: number;
    name: string;
    description: string;
    rendered_description: string;
    date_created: number;
    creator_id: number | null;
    invite_only: boolean;
    is_web_public: boolean;
    history_public_to_subscribers: boolean;
    is_announcement_only: boolean;
    is_archived: boolean;
    is_recently_active: boolean;
    stream_post_policy: number;
    topics_policy: string;
    message_retention_days: number | null;
    first_message_id: number | null;
    folder_id: number | null;
    subscriber_count: number;
    stream_weekly_traffic: number | null;
    can_add_subscribers_group: number | Record<string, number[]>;
    can_administer_channel_group: number | Record<string, number[]>;
    can_delete_any_message_group: number | Record<string, number[]>;
    can_delete_own_message_group: number | Record<string, number[]>;
    can_move_messages_out_of_channel_group: number | Record<string, number[]>;
    can_move_messages_within_channel_group: number | Record<string, number[]>;
    can_remove_subscribers_group: number | Record<string, number[]>;
    can_resolve_topics_group: number | Record<string, number[]>;
    can_send_message_group: number | Record<string, number[]>;
    can_subscribe_group: number | Record<string, number[]>;
    is_default?: boolean;
    subscribers?: number[];
    partial_subscribers?: number[];
  };

  /** A property of a channel has changed; `name` is its previous name. */
  type ChannelUpdateEvent = {
    history_public_to_subscribers?: boolean;
    id: number;
    is_web_public?: boolean;
    name: string;
    op: "update";
    property: string;
    rendered_description?: string;
    stream_id: number;
    type: "stream";
    value: boolean | number | string | Record<string, number[]> | null;
  };

  type ChannelsAnswer = {
    streams: ChannelShape[];
  };

  type ClientPresenceObject = {
    client: string;
    pushable: boolean;
    status: string;
    timestamp: number;
  };

  type ConsentObject = {
    consented: boolean;
    user_id: number;
  };

  type ConsentsAnswer = {
    export_consents: ConsentObject[];
  };

  type CustomEmojiAnswer = {
    emoji: Record<string, EmojiShape>;
  };

  type DataExportsAnswer = {
    exports: PersonExportObject[];
  };

  type DefaultChannelGroupsEvent = {
    default_stream_groups: DefaultGroupObject[];
    id: number;
    type: "default_stream_groups";
  };

  type DefaultChannelsEvent = {
    default_streams: number[];
    id: number;
    type: "default_streams";
  };

  /** A group of channels that new people can choose. */
  type DefaultGroupObject = {
    description: string;
    id: number;
    name: string;
    streams: number[];
  };

  /** Messages of one topic or conversation were deleted; the capability `bulk_message_deletion` decides
    between `message_ids` and one event for each message. */
  type DeleteMessageEvent = {
    id: number;
    message_id?: number;
    message_ids?: number[];
    message_type: "private" | "stream";
    stream_id?: number;
    topic?: string;
    type: "delete_message";
  };

  type DeleteTopicAnswer = {
    complete: boolean;
  };

  type DevelopmentUsersAnswer = {
    direct_admins: Offered[];
    direct_users: Offered[];
  };

  /** A participant of a direct message, in `display_recipient`. */
  type DirectPersonObject = {
    email: string;
    full_name: string;
    id: number;
    is_mirror_dummy: boolean;
  };

  /** The older payload beside `SettingEvent`. */
  type DisplaySettingEvent = {
    id: number;
    language_name?: string;
    setting: boolean | number | string | null;
    setting_name: string;
    type: "update_display_settings";
    user: string;
  };

  type DoNotDisturbAnswer = {
    daily: string;
    until: number;
    is_on: boolean;
  };

  /** A domain was added or changed. */
  type DomainEvent = {
    id: number;
    op: "add" | "change";
    realm_domain: DomainObject;
    type: "realm_domains";
  };

  /** A domain of the organization. */
  type DomainObject = {
    allow_subdomains: boolean;
    domain: string;
  };

  type DomainRemoveEvent = {
    domain: string;
    id: number;
    op: "remove";
    type: "realm_domains";
  };

  type DomainsAnswer = {
    domains: DomainObject[];
  };

  type DraftObject = {
    content: string;
    id: number;
    timestamp: number;
    to: number[];
    topic: string;
    type: string;
  };

  type DraftRemoveEvent = {
    draft_id: number;
    id: number;
    op: "remove";
    type: "drafts";
  };

  type DraftUpdateEvent = {
    draft: DraftObject;
    id: number;
    op: "update";
    type: "drafts";
  };

  type DraftsAddEvent = {
    drafts: DraftObject[];
    id: number;
    op: "add";
    type: "drafts";
  };

  type DraftsAnswer = {
    count: number;
    drafts: DraftObject[];
  };

  type EditMessageAnswer = {
    detached_uploads: AttachmentObject[];
  };

  /** One change of a message; unchanged parts are absent. */
  type EditObject = {
    prev_content?: string;
    prev_rendered_content?: string;
    prev_stream?: number;
    prev_topic?: string;
    stream?: number;
    timestamp: number;
    topic?: string;
    user_id: number | null;
  };

  type EditPlaceObject = {
    channel_id?: number;
    topic?: string;
    type: "channel" | "direct";
    user_ids?: number[];
  };

  /** One change of a message; unchanged parts are absent. */
  type EditShape = {
    user_id: number | null;
    timestamp: number;
    prev_content?: string;
    prev_rendered_content?: string;
    prev_topic?: string;
    topic?: string;
    prev_stream?: number;
    stream?: number;
  };

  type EmailAddressAnswer = {
    email: string;
  };

  /** The custom emoji of the organization, by their ids. */
  type EmojiEvent = {
    id: number;
    op: "update";
    realm_emoji: Record<string, EmojiObject>;
    type: "realm_emoji";
  };

  type EmojiObject = {
    author_id: number | null;
    deactivated: boolean;
    id: string;
    name: string;
    source_url: string;
    still_url: string | null;
  };

  type EmojiShape = {
    id: string;
    name: string;
    source_url: string;
    still_url: string | null;
    deactivated: boolean;
    author_id: number | null;
  };

  /** A person consents to the export of private data from now on, or no longer. */
  type ExportConsentEvent = {
    consented: boolean;
    id: number;
    type: "realm_export_consent";
    user_id: number;
  };

  type ExportObject = {
    acting_user_id: number;
    deleted_timestamp: number | null;
    export_time: number;
    export_type: number;
    export_url: string | null;
    failed_timestamp: number | null;
    id: number;
    pending: boolean;
  };

  type ExportsAnswer = {
    exports: ExportObject[];
  };

  type ExportsEvent = {
    exports: ExportObject[];
    id: number;
    type: "realm_export";
  };

  type FetchAnswer = {
    messages: MessageShape[];
    anchor?: number;
    found_anchor: boolean;
    found_oldest: boolean;
    found_newest: boolean;
    history_limited: boolean;
  };

  /** A user's new value of a profile field, with the number of the field; None: it was removed. */
  type FieldValueObject = {
    id: number;
    rendered_value?: string;
    value: string | null;
  };

  type FlagsAnswer = {
    messages: number[];
    ignored_because_not_subscribed_channels?: number[];
  };

  /** A flag of messages was set or cleared. */
  type FlagsEvent = {
    all: boolean;
    flag: string;
    id: number;
    message_details?: Record<string, UnreadObject>;
    messages: number[];
    op: "add" | "remove";
    operation: "add" | "remove";
    type: "update_message_flags";
  };

  type FlagsInNarrowAnswer = {
    processed_count: number;
    updated_count: number;
    first_processed_id: number | null;
    last_processed_id: number | null;
    found_oldest: boolean;
    found_newest: boolean;
    ignored_because_not_subscribed_channels?: number[];
  };

  type FolderAddEvent = {
    channel_folder: FolderObject;
    id: number;
    op: "add";
    type: "channel_folder";
  };

  /** A channel folder. */
  type FolderObject = {
    creator_id: number | null;
    date_created: number;
    description: string;
    id: number;
    is_archived: boolean;
    name: string;
    order: number;
    rendered_description: string;
  };

  type FolderReorderEvent = {
    id: number;
    op: "reorder";
    order: number[];
    type: "channel_folder";
  };

  type FolderUpdateEvent = {
    channel_folder_id: number;
    data: Record<string, boolean | number | string | null>;
    id: number;
    op: "update";
    type: "channel_folder";
  };

  type FoldersAnswer = {
    channel_folders: FolderObject[];
  };

  type GroupAddEvent = {
    group: GroupObject;
    id: number;
    op: "add";
    type: "user_group";
  };

  type GroupMembersAnswer = {
    members: number[];
  };

  type GroupMembersEvent = {
    group_id: number;
    id: number;
    op: "add_members" | "remove_members";
    type: "user_group";
    user_ids: number[];
  };

  /** A user group with its direct members and subgroups. */
  type GroupObject = {
    can_add_members_group: number | Record<string, number[]>;
    can_join_group: number | Record<string, number[]>;
    can_leave_group: number | Record<string, number[]>;
    can_manage_group: number | Record<string, number[]>;
    can_mention_group: number | Record<string, number[]>;
    can_remove_members_group: number | Record<string, number[]>;
    creator_id: number | null;
    date_created: number | null;
    deactivated: boolean;
    description: string;
    direct_subgroup_ids: number[];
    id: number;
    is_system_group: boolean;
    members: number[];
    name: string;
  };

  /** A group was deactivated, for clients without the capability `include_deactivated_groups`. */
  type GroupRemoveEvent = {
    group_id: number;
    id: number;
    op: "remove";
    type: "user_group";
  };

  /** A user group with its direct members and subgroups. */
  type GroupShape = {
    id: number;
    name: string;
    description: string;
    creator_id: number | null;
    date_created: number | null;
    members: number[];
    direct_subgroup_ids: number[];
    is_system_group: boolean;
    deactivated: boolean;
    can_add_members_group: number | Record<string, number[]>;
    can_join_group: number | Record<string, number[]>;
    can_leave_group: number | Record<string, number[]>;
    can_manage_group: number | Record<string, number[]>;
    can_mention_group: number | Record<string, number[]>;
    can_remove_members_group: number | Record<string, number[]>;
  };

  type GroupUpdateEvent = {
    data: Record<string, boolean | number | string | Record<string, number[]> | null>;
    group_id: number;
    id: number;
    op: "update";
    type: "user_group";
  };

  type GroupsAnswer = {
    user_groups: GroupShape[];
  };

  /** An event without content, which ends a poll that has waited for long. */
  type HeartbeatEvent = {
    id: number;
    type: "heartbeat";
  };

  type HistoryAnswer = {
    message_history: VersionShape[];
  };

  type HoldObject = {
    acting_user_id: number;
    channel_id: number | null;
    id: number;
    reason: string;
    timestamp: number;
    user_id: number | null;
  };

  type HoldsAnswer = {
    legal_holds: HoldObject[];
  };

  type IconAnswer = {
    icon_url: string;
  };

  /** An invitation, by address or by link. */
  type InvitationShape = {
    id: number;
    invited_by_user_id: number;
    invited: number;
    expiry_date: number | null;
    invited_as: number;
    email?: string;
    notify_referrer_on_join: boolean;
    link_url?: string;
    is_multiuse: boolean;
  };

  type InvitationsAnswer = {
    invites: InvitationShape[];
  };

  /** There are other invitations than before. */
  type InvitationsEvent = {
    id: number;
    type: "invites_changed";
  };

  type IsSubscribedAnswer = {
    is_subscribed: boolean;
  };

  type KeyAnswer = {
    api_key: string;
  };

  type LinkAnswer = {
    invite_link: string;
  };

  type LinkifierObject = {
    id: number;
    pattern: string;
    url_template: string;
  };

  type LinkifiersAnswer = {
    linkifiers: LinkifierObject[];
  };

  type LinkifiersEvent = {
    id: number;
    realm_linkifiers: LinkifierObject[];
    type: "realm_linkifiers";
  };

  /** A message that links to a file; times are in milliseconds. */
  type LinkingObject = {
    date_sent: number;
    id: number;
  };

  type LoggedOut = {
    logout_url?: string;
  };

  type LoginAnswer = {
    api_key: string;
    email: string;
    user_id: number;
  };

  type MarkAllAnswer = {
    complete: boolean;
  };

  /** The content and topic of a message with the words of a search marked. */
  type MatchShape = {
    match_content: string;
    match_subject: string;
  };

  type MatchesAnswer = {
    messages: Record<string, MatchShape>;
  };

  type MemberAnswer = {
    is_user_group_member: boolean;
  };

  type MessageAnswer = {
    message: MessageShape;
    raw_content: string;
  };

  /** A new message. */
  type MessageEvent = {
    flags: string[];
    id: number;
    local_id?: string;
    local_message_id?: string;
    message: MessageObject;
    type: "message";
  };

  /** A message as one reader receives it; `subject` is the topic. */
  type MessageObject = {
    avatar_url: string | null;
    client: string;
    content: string;
    content_type: "text/html" | "text/x-markdown";
    display_recipient: string | DirectPersonObject[];
    edit_history?: EditObject[];
    flags?: string[];
    id: number;
    is_me_message: boolean;
    last_edit_timestamp?: number;
    last_moved_timestamp?: number;
    match_content?: string;
    match_subject?: string;
    reactions: ReactionObject[];
    recipient_id: number;
    sender_email: string;
    sender_full_name: string;
    sender_id: number;
    sender_realm_str: string;
    stream_id?: number;
    subject: string;
    submessages: SubmessageObject[];
    timestamp: number;
    topic_links: TopicLinkObject[];
    type: "private" | "stream";
  };

  /** A message as one reader receives it; `subject` is the topic. */
  type MessageShape = {
    id: number;
    sender_id: number;
    content: string;
    content_type: "text/html" | "text/x-markdown";
    recipient_id: number;
    timestamp: number;
    client: string;
    subject: string;
    topic_links: TopicLinkObject[];
    is_me_message: boolean;
    reactions: ReactionObject[];
    submessages: SubmessageObject[];
    sender_full_name: string;
    sender_email: string;
    sender_realm_str: string;
    display_recipient: string | DirectPersonObject[];
    type: "private" | "stream";
    avatar_url: string | null;
    stream_id?: number;
    flags?: string[];
    match_content?: string;
    match_subject?: string;
    last_edit_timestamp?: number;
    last_moved_timestamp?: number;
    edit_history?: EditShape[];
  };

  /** The older list of policies for topics: names of channels, topics, and times of muting. */
  type MutedTopicsEvent = {
    id: number;
    muted_topics: ((string | number)[])[];
    type: "muted_topics";
  };

  /** A muted user, and the time of muting. */
  type MutedUserObject = {
    id: number;
    timestamp: number;
  };

  type MutedUsersEvent = {
    id: number;
    muted_users: MutedUserObject[];
    type: "muted_users";
  };

  type NavigationViewAddEvent = {
    id: number;
    navigation_view: NavigationViewObject;
    op: "add";
    type: "navigation_view";
  };

  /** A navigation view; built-in ones have no name. */
  type NavigationViewObject = {
    fragment: string;
    is_pinned: boolean;
    name?: string;
  };

  type NavigationViewRemoveEvent = {
    fragment: string;
    id: number;
    op: "remove";
    type: "navigation_view";
  };

  type NavigationViewUpdateEvent = {
    data: Record<string, boolean | number | string | null>;
    fragment: string;
    id: number;
    op: "update";
    type: "navigation_view";
  };

  type NewChannelAnswer = {
    id: number;
  };

  type NewDefaultGroupAnswer = {
    group_id: number;
  };

  type NewDraftsAnswer = {
    ids: number[];
  };

  type NewExportAnswer = {
    id: number;
  };

  type NewFolderAnswer = {
    channel_folder_id: number;
  };

  type NewGroupAnswer = {
    group_id: number;
  };

  type NewHoldAnswer = {
    legal_hold_id: number;
  };

  type NewIdAnswer = {
    id: number;
  };

  type NewReminderAnswer = {
    reminder_id: number;
  };

  type NewScheduledMessageAnswer = {
    scheduled_message_id: number;
  };

  type NewSnippetAnswer = {
    saved_snippet_id: number;
  };

  type NewUserAnswer = {
    user_id: number;
  };

  /** The older payload beside `SettingEvent`. */
  type NotificationSettingEvent = {
    id: number;
    notification_name: string;
    setting: boolean | number | string | null;
    type: "update_global_notifications";
    user: string;
  };

  /** A person as whom anybody may log in to a development server. */
  type Offered = {
    email: string;
    full_name: string;
  };

  /** A step that a person has not seen yet. */
  type OnboardingStepObject = {
    name: string;
    type: string;
  };

  type OnboardingStepsEvent = {
    id: number;
    onboarding_steps: OnboardingStepObject[];
    type: "onboarding_steps";
  };

  type OrganizationDeactivatedEvent = {
    id: number;
    op: "deactivated";
    realm_id: number;
    type: "realm";
  };

  /** Settings of the organization have changed together, such as permissions or a picture. */
  type OrganizationSettingsEvent = {
    data:
      Record<string, boolean | number | string | Record<string, number[] | Record<string, boolean>> | null>;
    id: number;
    op: "update_dict";
    property: string;
    type: "realm";
  };

  /** A setting of the organization has changed. */
  type OrganizationUpdateEvent = {
    id: number;
    op: "update";
    property: string;
    type: "realm";
    value: boolean | number | string | null;
  };

  /** A bot as its owner lists it. */
  type OwnBotObject = {
    api_key: string;
    avatar_url: string | null;
    bot_type: number | null;
    default_all_public_streams: boolean;
    default_events_register_stream: string | null;
    default_sending_stream: string | null;
    full_name: string;
    services: ServiceObject[];
    user_id: number;
    username: string;
  };

  /** The actor's own account in the form of `GET users/me`. */
  type OwnUserShape = {
    user_id: number;
    delivery_email: string | null;
    email: string;
    full_name: string;
    date_joined: string;
    is_owner: boolean;
    is_admin: boolean;
    is_guest: boolean;
    is_bot: boolean;
    bot_type: number | null;
    bot_owner_id: number | null;
    role: number;
    timezone: string;
    avatar_url: string | null;
    avatar_version: number;
    is_active?: boolean;
    profile_data?: Record<string, ValueObject>;
    max_message_id: number;
  };

  /** Other users were subscribed or unsubscribed. */
  type PeersEvent = {
    id: number;
    op: "peer_add" | "peer_remove";
    stream_ids: number[];
    type: "subscription";
    user_ids: number[];
  };

  /** An export of one person's data. */
  type PersonExportObject = {
    acting_user_id: number;
    deleted_timestamp: number | null;
    export_time: number;
    export_type: number;
    export_url: string | null;
    failed_timestamp: number | null;
    id: number;
    pending: boolean;
    user_id: number;
  };

  type PlaygroundObject = {
    highlighter_language: string;
    id: number;
    name: string;
    url_template: string;
  };

  type PlaygroundsEvent = {
    id: number;
    realm_playgrounds: PlaygroundObject[];
    type: "realm_playgrounds";
  };

  type PollAnswer = {
    events: any[];
    queue_id: string;
  };

  type PresenceAnswer = {
    presences?: Record<string, any>;
    server_timestamp?: number;
    presence_last_update_id?: number;
  };

  /** The presence of users; capabilities and options of the client decide on the fields. */
  type PresenceEvent = {
    email?: string;
    id: number;
    presence?: Record<string, ClientPresenceObject>;
    presences?: Record<string, PresenceTimesObject>;
    server_timestamp?: number;
    type: "presence";
    user_id?: number;
  };

  type PresenceTimesObject = {
    active_timestamp?: number;
    idle_timestamp?: number;
  };

  type ProfileFieldObject = {
    display_in_profile_summary?: boolean;
    editable_by_user: boolean;
    field_data: string;
    field_type: number;
    hint: string;
    id: number;
    name: string;
    order: number;
    required: boolean;
    type: number;
  };

  type ProfileFieldsAnswer = {
    custom_fields: ProfileFieldObject[];
  };

  type ProfileFieldsEvent = {
    fields: ProfileFieldObject[];
    id: number;
    type: "custom_profile_fields";
  };

  type PushSubscriptionAnswer = {
    subscription_id: number;
  };

  type PushSubscriptionObject = {
    id: number;
    device: string;
    created_at: number;
    endpoint_host: string;
  };

  type ReactingUserObject = {
    email: string;
    full_name: string;
    is_mirror_dummy: boolean;
    user_id: number;
  };

  /** A reaction was added or removed. */
  type ReactionEvent = {
    emoji_code: string;
    emoji_name: string;
    id: number;
    message_id: number;
    op: "add" | "remove";
    reaction_type: string;
    type: "reaction";
    user: ReactingUserObject;
    user_id: number;
  };

  type ReactionObject = {
    emoji_code: string;
    emoji_name: string;
    reaction_type: string;
    user_id: number;
  };

  type ReceiptsAnswer = {
    user_ids: number[];
  };

  type ReminderObject = {
    content: string;
    failed: boolean;
    reminder_id: number;
    reminder_target_message_id: number;
    rendered_content: string;
    scheduled_delivery_timestamp: number;
    to: number[];
    type: string;
  };

  type ReminderRemoveEvent = {
    id: number;
    op: "remove";
    reminder_id: number;
    type: "reminders";
  };

  type RemindersAddEvent = {
    id: number;
    op: "add";
    reminders: ReminderObject[];
    type: "reminders";
  };

  type RemindersAnswer = {
    reminders: ReminderObject[];
  };

  type RemovedUserObject = {
    full_name: string;
    user_id: number;
  };

  type RenderAnswer = {
    rendered: string;
  };

  /** Another version of the server serves the organization from now on. */
  type RestartEvent = {
    id: number;
    server_generation: number;
    service_feature_level: number;
    service_merge_base: string;
    service_version: string;
    type: "restart";
  };

  type SavedSnippetObject = {
    content: string;
    date_created: number;
    id: number;
    title: string;
  };

  type ScheduledAddEvent = {
    id: number;
    op: "add";
    scheduled_messages: ScheduledMessageObject[];
    type: "scheduled_messages";
  };

  type ScheduledMessageObject = {
    content: string;
    failed: boolean;
    rendered_content: string;
    scheduled_delivery_timestamp: number;
    scheduled_message_id: number;
    to: number | number[];
    topic?: string;
    type: string;
  };

  type ScheduledMessagesAnswer = {
    scheduled_messages: ScheduledMessageObject[];
  };

  type ScheduledRemoveEvent = {
    id: number;
    op: "remove";
    scheduled_message_id: number;
    type: "scheduled_messages";
  };

  type ScheduledUpdateEvent = {
    id: number;
    op: "update";
    scheduled_message: ScheduledMessageObject;
    type: "scheduled_messages";
  };

  type SendAnswer = {
    id: number;
    automatic_new_visibility_policy?: number;
  };

  /** The service of an outgoing webhook, or the program of an embedded bot. */
  type ServiceObject = {
    base_url?: string;
    config_data?: Record<string, string>;
    interface?: 1 | 2;
    service_name?: string;
    token?: string;
  };

  type SessionObject = {
    date_created: number;
    id: number;
    ip_address: string;
    is_current: boolean;
    last_used: number;
    user_agent: string;
  };

  type SessionsAnswer = {
    sessions: SessionObject[];
  };

  /** A setting of the reader has changed. */
  type SettingEvent = {
    id: number;
    language_name?: string;
    op: "update";
    property: string;
    type: "user_settings";
    value: boolean | number | string | null;
  };

  /** A saved snippet was created or changed. */
  type SnippetEvent = {
    id: number;
    op: "add" | "update";
    saved_snippet: SavedSnippetObject;
    type: "saved_snippets";
  };

  type SnippetRemoveEvent = {
    id: number;
    op: "remove";
    saved_snippet_id: number;
    type: "saved_snippets";
  };

  type SnippetsAnswer = {
    saved_snippets: SavedSnippetObject[];
  };

  /** The changed parts of a user's status; an empty text means a cleared part. */
  type StatusEvent = {
    away?: boolean;
    emoji_code?: string;
    emoji_name?: string;
    id: number;
    reaction_type?: string;
    status_text?: string;
    type: "user_status";
    user_id: number;
  };

  type StatusShape = {
    away?: boolean;
    status_text?: string;
    emoji_name?: string;
    emoji_code?: string;
    reaction_type?: "realm_emoji" | "service_extra_emoji" | "unicode_emoji";
  };

  type StorageAnswer = {
    storage: Record<string, string>;
  };

  type SubgroupsAnswer = {
    subgroups: number[];
  };

  type SubgroupsEvent = {
    direct_subgroup_ids: number[];
    group_id: number;
    id: number;
    op: "add_subgroups" | "remove_subgroups";
    type: "user_group";
  };

  /** A submessage, such as a vote in a poll. */
  type SubmessageEvent = {
    content: string;
    id: number;
    message_id: number;
    msg_type: string;
    sender_id: number;
    submessage_id: number;
    type: "submessage";
  };

  type SubmessageObject = {
    content: string;
    id: number;
    message_id: number;
    msg_type: string;
    sender_id: number;
  };

  type SubscribeAnswer = {
    subscribed: Record<string, string[]>;
    already_subscribed: Record<string, string[]>;
    unauthorized?: string[];
    new_subscription_messages_sent?: boolean;
  };

  /** The reader was subscribed to channels. */
  type SubscribeEvent = {
    id: number;
    op: "add";
    subscriptions: SubscriptionObject[];
    type: "subscription";
  };

  type SubscribersAnswer = {
    subscribers: number[];
  };

  /** A channel with the personal settings of one subscriber. */
  type SubscriptionObject = {
    audible_notifications: boolean | null;
    can_add_subscribers_group: number | Record<string, number[]>;
    can_administer_channel_group: number | Record<string, number[]>;
    can_delete_any_message_group: number | Record<string, number[]>;
    can_delete_own_message_group: number | Record<string, number[]>;
    can_move_messages_out_of_channel_group: number | Record<string, number[]>;
    can_move_messages_within_channel_group: number | Record<string, number[]>;
    can_remove_subscribers_group: number | Record<string, number[]>;
    can_resolve_topics_group: number | Record<string, number[]>;
    can_send_message_group: number | Record<string, number[]>;
    can_subscribe_group: number | Record<string, number[]>;
    color: string;
    creator_id: number | null;
    date_created: number;
    description: string;
    desktop_notifications: boolean | null;
    email_notifications: boolean | null;
    first_message_id: number | null;
    folder_id: number | null;
    history_public_to_subscribers: boolean;
    in_home_view: boolean;
    invite_only: boolean;
    is_announcement_only: boolean;
    is_archived: boolean;
    is_default?: boolean;
    is_muted: boolean;
    is_recently_active: boolean;
    is_web_public: boolean;
    message_retention_days: number | null;
    name: string;
    partial_subscribers?: number[];
    pin_to_top: boolean;
    push_notifications: boolean | null;
    rendered_description: string;
    stream_id: number;
    stream_post_policy: number;
    stream_weekly_traffic: number | null;
    subscriber_count: number;
    subscribers?: number[];
    topics_policy: string;
    wildcard_mentions_notify?: boolean | null;
  };

  /** A channel with the personal settings of one subscriber. */
  type SubscriptionShape = {
    stream_id: number;
    name: string;
    description: string;
    rendered_description: string;
    date_created: number;
    creator_id: number | null;
    invite_only: boolean;
    is_web_public: boolean;
    history_public_to_subscribers: boolean;
    is_announcement_only: boolean;
    is_archived: boolean;
    is_recently_active: boolean;
    stream_post_policy: number;
    topics_policy: string;
    message_retention_days: number | null;
    first_message_id: number | null;
    folder_id: number | null;
    subscriber_count: number;
    stream_weekly_traffic: number | null;
    can_add_subscribers_group: number | Record<string, number[]>;
    can_administer_channel_group: number | Record<string, number[]>;
    can_delete_any_message_group: number | Record<string, number[]>;
    can_delete_own_message_group: number | Record<string, number[]>;
    can_move_messages_out_of_channel_group: number | Record<string, number[]>;
    can_move_messages_within_channel_group: number | Record<string, number[]>;
    can_remove_subscribers_group: number | Record<string, number[]>;
    can_resolve_topics_group: number | Record<string, number[]>;
    can_send_message_group: number | Record<string, number[]>;
    can_subscribe_group: number | Record<string, number[]>;
    is_default?: boolean;
    subscribers?: number[];
    partial_subscribers?: number[];
    color: string;
    is_muted: boolean;
    in_home_view: boolean;
    pin_to_top: boolean;
    desktop_notifications: boolean | null;
    email_notifications: boolean | null;
    push_notifications: boolean | null;
    audible_notifications: boolean | null;
    wildcard_mentions_notify?: boolean | null;
  };

  /** A personal setting of a subscription has changed. */
  type SubscriptionUpdateEvent = {
    id: number;
    op: "update";
    property: string;
    stream_id: number;
    type: "subscription";
    value: boolean | string;
  };

  type SubscriptionsAnswer = {
    subscriptions: SubscriptionShape[];
  };

  type TokenLoginAnswer = {
    api_key: string;
    email: string;
    user_id: number;
    user?: UserShape;
  };

  type TopicLinkObject = {
    text: string;
    url: string;
  };

  /** The reader's policy for a topic has changed. */
  type TopicPolicyEvent = {
    id: number;
    last_updated: number;
    stream_id: number;
    topic_name: string;
    type: "user_topic";
    visibility_policy: number;
  };

  type TopicShape = {
    name: string;
    max_id: number;
  };

  type TopicsAnswer = {
    topics: TopicShape[];
  };

  /** A user starts or stops editing a message. */
  type TypingEditEvent = {
    id: number;
    message_id: number;
    op: "start" | "stop";
    recipient: EditPlaceObject;
    sender_id: number;
    type: "typing_edit_message";
  };

  /** A user starts or stops writing: `recipients` names the people, or `stream_id` and `topic` the place. */
  type TypingEvent = {
    id: number;
    message_type: "direct" | "stream";
    op: "start" | "stop";
    recipients?: TypistObject[];
    sender: TypistObject;
    stream_id?: number;
    topic?: string;
    type: "typing";
  };

  type TypistObject = {
    email: string;
    user_id: number;
  };

  /** The fields by which a client counts a message as unread again. */
  type UnreadObject = {
    mentioned?: true;
    stream_id?: number;
    topic?: string;
    type?: "private" | "stream";
    unmuted_stream_msg?: boolean;
    user_ids?: number[];
  };

  type UnsubscribeAnswer = {
    removed: string[];
    not_removed: string[];
  };

  /** The reader was unsubscribed from channels. */
  type UnsubscribeEvent = {
    id: number;
    op: "remove";
    subscriptions: ChannelNameObject[];
    type: "subscription";
  };

  type UpdateAnswer = {
    full_name: string;
    avatar_url: string | null;
    service_interface?: number;
    service_payload_url?: string;
    config_data?: Record<string, string>;
    default_sending_stream: string | null;
    default_events_register_stream: string | null;
    default_all_public_streams: boolean;
    bot_owner_id: number | null;
  };

  /** A message was edited, messages were moved, or, with `rendering_only`, its HTML has changed. */
  type UpdateMessageEvent = {
    content?: string;
    edit_timestamp: number;
    flags: string[];
    id: number;
    is_me_message?: boolean;
    message_id: number;
    message_ids: number[];
    new_stream_id?: number;
    orig_content?: string;
    orig_rendered_content?: string;
    orig_subject?: string;
    propagate_mode?: string;
    rendered_content?: string;
    rendering_only: boolean;
    stream_id?: number;
    stream_name?: string;
    subject?: string;
    topic_links?: TopicLinkObject[];
    type: "update_message";
    user_id: number | null;
  };

  type UpdateSubscriptionsAnswer = {
    subscribed: Record<string, string[]>;
    already_subscribed: Record<string, string[]>;
    removed: string[];
    not_removed: string[];
  };

  type UploadAnswer = {
    url: string;
    uri: string;
    filename: string;
  };

  /** An account was created or has become visible to the reader. */
  type UserAddEvent = {
    id: number;
    op: "add";
    person: UserObject;
    type: "realm_user";
  };

  type UserAnswer = {
    user: UserShape;
  };

  /** A setting with which new people start has changed. */
  type UserDefaultEvent = {
    id: number;
    op: "update";
    property: string;
    type: "realm_user_settings_defaults";
    value: boolean | number | string | null;
  };

  /** A user as one reader sees it. */
  type UserObject = {
    avatar_url: string | null;
    avatar_version: number;
    bot_owner_id: number | null;
    bot_type: number | null;
    date_joined: string;
    delivery_email: string | null;
    email: string;
    full_name: string;
    is_active?: boolean;
    is_admin: boolean;
    is_bot: boolean;
    is_guest: boolean;
    is_owner: boolean;
    profile_data?: Record<string, ValueObject>;
    role: number;
    timezone: string;
    user_id: number;
  };

  /** An account is no longer visible to the reader. */
  type UserRemoveEvent = {
    id: number;
    op: "remove";
    person: RemovedUserObject;
    type: "realm_user";
  };

  /** A user as one reader sees it. */
  type UserShape = {
    user_id: number;
    delivery_email: string | null;
    email: string;
    full_name: string;
    date_joined: string;
    is_owner: boolean;
    is_admin: boolean;
    is_guest: boolean;
    is_bot: boolean;
    bot_type: number | null;
    bot_owner_id: number | null;
    role: number;
    timezone: string;
    avatar_url: string | null;
    avatar_version: number;
    is_active?: boolean;
    profile_data?: Record<string, ValueObject>;
  };

  type UserStatusAnswer = {
    status: StatusShape;
  };

  type UserUpdateEvent = {
    id: number;
    op: "update";
    person: ChangedUserObject;
    type: "realm_user";
  };

  type UsersAnswer = {
    members: UserShape[];
  };

  /** A user's value of a profile field. */
  type ValueObject = {
    rendered_value?: string;
    value: string | null;
  };

  /** A message in the version after an edit, with the changes of that edit. */
  type VersionShape = {
    user_id: number | null;
    timestamp: number;
    prev_content?: string;
    prev_rendered_content?: string;
    prev_topic?: string;
    topic: string;
    prev_stream?: number;
    stream?: number;
    content: string;
    rendered_content: string;
    content_html_diff?: string;
  };

  type ViewsAnswer = {
    navigation_views: NavigationViewObject[];
  };

  type WebPushAnswer = {
    public_key: string | null;
    shows_content: boolean;
    subscriptions: PushSubscriptionObject[];
  };

  /** Another version of the web client is served from now on; only queues that name its type receive it. */
  type WebReloadEvent = {
    id: number;
    immediate: boolean;
    type: "web_reload_client";
  };

  type WelcomeAnswer = {
    message_id: number;
  };

  type WhoAnswer = {
    user_id: number;
    email: string;
  };

  type WordsAnswer = {
    alert_words: string[];
  };
}
